import COpenSSL
import Glibc

/// One end of TLS on one nonblocking socket. Confined to the shard that owns the socket.
///
/// A read or a write continues an unfinished handshake.
package final class TLSSession {
    private let session: OpaquePointer
    /// Held because a server's handshake calls back into its context.
    private let context: AnyObject
    private let socket: TLSSocket
    /// The result that followed the last read's bytes; reported by the next read.
    private var untold: TLSReadOutcome?
    /// After a failure the library must not be called again (SSL_get_error(3)).
    private var hasFailed = false

    /// The server's end.
    ///
    /// - Parameter descriptor: stays the caller's, and must be open while this session is used.
    package convenience init(context: TLSContext, descriptor: Int32) throws(TLSFailure) {
        try self.init(context.makeSession(), of: context, descriptor: descriptor)
    }

    /// The client's end.
    package convenience init(context: TLSClientContext, host: String, descriptor: Int32) throws(TLSFailure) {
        try self.init(context.makeSession(host: host), of: context, descriptor: descriptor)
    }

    private init(_ session: OpaquePointer, of context: AnyObject, descriptor: Int32) throws(TLSFailure) {
        self.session = session
        self.context = context
        socket = TLSSocket(descriptor: descriptor)
        ERR_clear_error()
        guard let bio = socket.makeBIO() else { throw TLSFailure("BIO_new") }
        SSL_set_bio(session, bio, bio)
    }

    deinit {
        // Without this the library takes an ended session for a broken one and forgets it.
        SSL_set_shutdown(session, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN)
        SSL_free(session)
    }

    /// The application protocol that both sides agreed on; nil before the end of the handshake, or without ALPN.
    package var alpn: String? {
        var name: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        SSL_get0_alpn_selected(session, &name, &count)
        guard let name, count > 0 else { return nil }
        return String(decoding: UnsafeBufferPointer(start: name, count: Int(count)), as: UTF8.self)
    }

    /// Whether the handshake used a ticket of an earlier session.
    package var isResumed: Bool { SSL_session_reused(session) == 1 }

    /// Whether TLS may hold bytes that a poller cannot see. They may be an incomplete record.
    package var holdsInput: Bool { untold != nil || SSL_has_pending(session) == 1 }

    /// Whether encrypted bytes wait for the socket: call ``drain()`` when it becomes writable.
    package var holdsOutput: Bool { socket.holdsOutput }

    /// Sends the encrypted bytes that wait.
    package func drain() -> TLSWriteOutcome {
        switch socket.drain() {
        case .done: .wrote(0)
        case .wouldBlock: .wouldBlock
        case .failed(let errno): .failed(TLSFailure("write", errno: errno))
        }
    }

    /// Continues the handshake. Until it is done, call it again when the socket is readable, or writable if it holds
    /// output. It may hold output after its end, too.
    package func handshake() -> TLSHandshakeOutcome {
        if case .failed(let failure) = drain() { return .failed(failure) }
        forgetErrors()
        let code = SSL_do_handshake(session)
        if code == 1 { return .done }
        switch blockage(code, "handshake") {
        case .wouldBlock: return .wouldBlock
        case .ended: return .failed(.peerLeft("handshake"))
        case .failed(let failure): return .failed(explained(failure))
        }
    }

    /// Reads as many records as have come and fit. May leave output of TLS itself.
    package func read(into buffer: UnsafeMutableRawBufferPointer) -> TLSReadOutcome {
        if let outcome = untold {
            untold = nil
            return outcome
        }
        let first = readRecord(into: buffer)
        guard case .bytes(var count) = first else { return first }
        while count < buffer.count, SSL_has_pending(session) == 1 {
            switch readRecord(into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...])) {
            case .bytes(let more): count += more
            // The beginning of a record: the poller reports the rest.
            case .wouldBlock: return .bytes(count)
            case let outcome:
                untold = outcome
                return .bytes(count)
            }
        }
        return .bytes(count)
    }

    private func readRecord(into buffer: UnsafeMutableRawBufferPointer) -> TLSReadOutcome {
        forgetErrors()
        var count = 0
        let code = SSL_read_ex(session, buffer.baseAddress, buffer.count, &count)
        if code == 1 { return .bytes(count) }
        switch blockage(code, "read") {
        case .wouldBlock: return .wouldBlock
        case .ended: return .endOfStream
        case .failed(let failure): return .failed(failure)
        }
    }

    /// Takes at least one of `bytes`. The bytes may wait inside: see ``holdsOutput``.
    package func write(_ bytes: UnsafeRawBufferPointer) -> TLSWriteOutcome {
        if holdsOutput {
            let outcome = drain()
            guard case .wrote = outcome else { return outcome }
        }
        // The library's result for an empty write is undefined.
        guard !bytes.isEmpty else { return .wrote(0) }
        forgetErrors()
        var count = 0
        let code = SSL_write_ex(session, bytes.baseAddress, bytes.count, &count)
        if code == 1 { return .wrote(count) }
        switch blockage(code, "write") {
        // Without renegotiation a write never waits for input.
        case .wouldBlock, .ended: return .failed(.peerLeft("write"))
        case .failed(let failure): return .failed(failure)
        }
    }

    /// Says goodbye (RFC 8446 §6.1); reading may continue. May leave output. Failures are ignored, because the peer may
    /// be gone already.
    package func shutdown() {
        // It must not be called during a handshake; there is nothing to end then either.
        guard !hasFailed, SSL_is_init_finished(session) == 1, SSL_get_shutdown(session) & SSL_SENT_SHUTDOWN == 0
        else { return }
        forgetErrors()
        SSL_shutdown(session)
        ERR_clear_error()
    }

    /// Errors of another call would be taken for those of the next one.
    private func forgetErrors() {
        ERR_clear_error()
        errno = 0
    }

    private enum Blockage {
        case wouldBlock
        case ended
        case failed(TLSFailure)
    }

    private func blockage(_ code: Int32, _ call: String) -> Blockage {
        // Read first, because the calls below may change it.
        let systemError = errno
        switch SSL_get_error(session, code) {
        case SSL_ERROR_WANT_READ: return .wouldBlock
        case SSL_ERROR_ZERO_RETURN: return .ended
        case SSL_ERROR_SYSCALL where ERR_peek_error() == 0:
            hasFailed = true
            // Without an errno, the socket ended in the middle of a record.
            return systemError == 0 ? .ended : .failed(TLSFailure(call, errno: systemError))
        default:
            hasFailed = true
            return .failed(TLSFailure(call))
        }
    }

    /// Adds the reason: "certificate verify failed" alone does not tell an operator what to do.
    private func explained(_ failure: TLSFailure) -> TLSFailure {
        let result = SSL_get_verify_result(session)
        guard result != Int(X509_V_OK), let reason = X509_verify_cert_error_string(result) else { return failure }
        return TLSFailure(failure.call, reason: "certificate not trusted: \(String(cString: reason))")
    }
}
