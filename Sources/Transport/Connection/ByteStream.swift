import CLinux
import Glibc

/// The bytes of a connected socket: plain or encrypted.
enum ByteStream {
    case plain
    case handshaking(TLSHandshake)
    case tls(TLSSession)
    /// TLS failed, and the stream has ended.
    indirect case failed(TLSFailure)
}

/// The result of a read or a write.
enum StreamOutcome {
    case moved(Int)
    case blocked
    case ended
    case failed(errno: Int32)
    case failedTLS(TLSFailure)
}

extension ByteStream {
    /// Whether TLS may hold input that a poller cannot see.
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

    /// Reads bytes that are not decrypted any more.
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

    /// Whether TLS holds output that has not been sent yet.
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
