import COpenSSL
import Glibc

/// The server's side of TLS on one nonblocking socket. Confined to the shard that owns the socket.
///
/// Reading and writing do what is left of the handshake by themselves.
package final class TLSSession {
    private let session: OpaquePointer
    /// Its handshake callback is in use as long as this session is.
    private let context: TLSContext

    /// - Parameter descriptor: stays the caller's, and open for as long as this session is used.
    package init(context: TLSContext, descriptor: Int32) throws(TLSFailure) {
        session = try context.makeSession()
        self.context = context
        ERR_clear_error()
        guard SSL_set_fd(session, descriptor) == 1 else {
            let failure = TLSFailure("SSL_set_fd")
            SSL_free(session)
            throw failure
        }
        SSL_set_accept_state(session)
    }

    deinit {
        // Without this the library takes a session that just ended for a broken one and forgets it.
        SSL_set_shutdown(session, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN)
        SSL_free(session)
    }

    /// The application protocol that both sides agreed on; nil before the handshake is done, or without ALPN.
    package var alpn: String? {
        var name: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        SSL_get0_alpn_selected(session, &name, &count)
        guard let name, count > 0 else { return nil }
        return String(decoding: UnsafeBufferPointer(start: name, count: Int(count)), as: UTF8.self)
    }

    /// Goes on with the handshake; to be called again when the socket is ready, until it is done.
    package func handshake() -> TLSHandshakeOutcome {
        forgetErrors()
        let code = SSL_do_handshake(session)
        if code == 1 { return .done }
        switch blockage(code, "handshake") {
        case .wouldBlock(let wantsWrite): return .wouldBlock(wantsWrite: wantsWrite)
        case .ended: return .failed(TLSFailure("handshake", reason: "the peer left"))
        case .failed(let failure): return .failed(failure)
        }
    }

    /// Reads what has come, at most a record; to be called until it would block, as the library may hold more.
    package func read(into buffer: UnsafeMutableRawBufferPointer) -> TLSReadOutcome {
        forgetErrors()
        var count = 0
        let code = SSL_read_ex(session, buffer.baseAddress, buffer.count, &count)
        if code == 1 { return .bytes(count) }
        switch blockage(code, "read") {
        case .wouldBlock(let wantsWrite): return .wouldBlock(wantsWrite: wantsWrite)
        case .ended: return .endOfStream
        case .failed(let failure): return .failed(failure)
        }
    }

    /// Writes some of `bytes`, at least one.
    ///
    /// After `wouldBlock` the same bytes must come first in the next call; their address may differ.
    package func write(_ bytes: UnsafeRawBufferPointer) -> TLSWriteOutcome {
        // The library has no word for writing nothing.
        guard !bytes.isEmpty else { return .wrote(0) }
        forgetErrors()
        var count = 0
        let code = SSL_write_ex(session, bytes.baseAddress, bytes.count, &count)
        if code == 1 { return .wrote(count) }
        switch blockage(code, "write") {
        case .wouldBlock(let wantsWrite): return .wouldBlock(wantsRead: !wantsWrite)
        case .ended: return .failed(TLSFailure("write", reason: "the peer left"))
        case .failed(let failure): return .failed(failure)
        }
    }

    /// Says goodbye, as far as the socket takes it at once; the peer may be gone already.
    package func shutdown() {
        ERR_clear_error()
        // It must not be called during a handshake; then there is nothing to end either.
        guard SSL_is_init_finished(session) == 1 else { return }
        _ = SSL_shutdown(session)
        ERR_clear_error()
    }

    /// What is left from another call would be taken for the next one's.
    private func forgetErrors() {
        ERR_clear_error()
        errno = 0
    }

    private enum Blockage {
        case wouldBlock(wantsWrite: Bool)
        case ended
        case failed(TLSFailure)
    }

    private func blockage(_ code: Int32, _ call: String) -> Blockage {
        // Read first: finding out may change it.
        let systemError = errno
        switch SSL_get_error(session, code) {
        case SSL_ERROR_WANT_READ: return .wouldBlock(wantsWrite: false)
        case SSL_ERROR_WANT_WRITE: return .wouldBlock(wantsWrite: true)
        case SSL_ERROR_ZERO_RETURN: return .ended
        case SSL_ERROR_SYSCALL where ERR_peek_error() == 0:
            // No errno: the socket ended in the middle of a record.
            return systemError == 0
                ? .ended : .failed(TLSFailure(call, reason: String(cString: strerror(systemError))))
        default: return .failed(TLSFailure(call))
        }
    }
}

/// How far a handshake has come.
package enum TLSHandshakeOutcome {
    case done
    /// To be continued when the socket is readable, or writable if it wants to write.
    case wouldBlock(wantsWrite: Bool)
    case failed(TLSFailure)
}

/// What a read came to.
package enum TLSReadOutcome {
    case bytes(Int)
    case wouldBlock(wantsWrite: Bool)
    case endOfStream
    case failed(TLSFailure)
}

/// What a write came to.
package enum TLSWriteOutcome {
    case wrote(Int)
    case wouldBlock(wantsRead: Bool)
    case failed(TLSFailure)
}
