import CLinux
import Glibc

/// A connected socket's bytes: plain, or encrypted.
enum ByteStream {
    case plain
    case handshaking(TLSHandshake)
    case tls(TLSSession)
    /// TLS said this, and the stream is no more.
    indirect case failed(TLSFailure)
}

/// What a read or a write came to.
enum StreamOutcome {
    case moved(Int)
    case blocked
    case ended
    case failed(errno: Int32)
    case failedTLS(TLSFailure)
}

extension ByteStream {
    /// Whether bytes may wait inside, unseen by a poller.
    var holdsInput: Bool {
        switch self {
        case .plain, .handshaking, .failed: false
        case .tls(let session): session.holdsInput
        }
    }

    func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> StreamOutcome {
        switch self {
        case .plain: return Self.readPlain(descriptor, into: buffer)
        case .tls(let session):
            switch session.read(into: buffer) {
            case .bytes(let count): return .moved(count)
            case .wouldBlock: return .blocked
            case .endOfStream: return .ended
            case .failed(let failure): return .failedTLS(failure)
            }
        case .handshaking: return .blocked
        case .failed(let failure): return .failedTLS(failure)
        }
    }

    /// For bytes that nobody decrypts any more.
    static func readPlain(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> StreamOutcome {
        let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
        return count > 0 ? .moved(count) : count == 0 ? .ended : outcome(ofErrno: errno)
    }

    func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> StreamOutcome {
        switch self {
        case .plain:
            let count = belfry_send(descriptor, bytes.baseAddress, bytes.count)
            return count >= 0 ? .moved(count) : Self.outcome(ofErrno: errno)
        case .tls(let session):
            switch session.write(bytes) {
            case .wrote(let count): return .moved(count)
            case .wouldBlock: return .blocked
            case .failed(let failure): return .failedTLS(failure)
            }
        case .handshaking: return .blocked
        case .failed(let failure): return .failedTLS(failure)
        }
    }

    /// Whether bytes that were taken have not gone out yet.
    var holdsOutput: Bool {
        switch self {
        case .plain, .handshaking, .failed: false
        case .tls(let session): session.holdsOutput
        }
    }

    private static func outcome(ofErrno code: Int32) -> StreamOutcome {
        code == EAGAIN || code == EINTR ? .blocked : .failed(errno: code)
    }
}
