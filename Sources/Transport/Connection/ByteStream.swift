import Glibc

/// A connected socket's bytes, plain or encrypted.
enum ByteStream {
    case plain
    case tls(TLSSession)
}

/// What a read or a write came to.
enum StreamOutcome {
    case moved(Int)
    case wouldBlock
    /// A read that has to write first: TLS in its handshake.
    case wantsWrite
    case ended
    case failed(errno: Int32)
}

extension ByteStream {
    /// Whether bytes may wait inside, unseen by a poller: read until it would block.
    var holdsInput: Bool {
        switch self {
        case .plain: false
        case .tls: true
        }
    }

    func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> StreamOutcome {
        switch self {
        case .plain:
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            return count > 0 ? .moved(count) : count == 0 ? .ended : Self.outcome(ofErrno: errno)
        case .tls(let session):
            switch session.read(into: buffer) {
            case .bytes(let count): return .moved(count)
            case .wouldBlock(let wantsWrite): return wantsWrite ? .wantsWrite : .wouldBlock
            case .endOfStream: return .ended
            case .failed: return .failed(errno: EPROTO)
            }
        }
    }

    func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> StreamOutcome {
        switch self {
        case .plain:
            let count = Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            return count >= 0 ? .moved(count) : Self.outcome(ofErrno: errno)
        case .tls(let session):
            switch session.write(bytes) {
            case .wrote(let count): return .moved(count)
            case .wouldBlock: return .wouldBlock
            case .failed: return .failed(errno: EPROTO)
            }
        }
    }

    private static func outcome(ofErrno code: Int32) -> StreamOutcome {
        code == EAGAIN || code == EINTR ? .wouldBlock : .failed(errno: code)
    }
}
