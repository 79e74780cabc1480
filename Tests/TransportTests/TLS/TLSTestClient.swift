import COpenSSL
import Glibc
import Testing

@testable import Transport

/// libssl's own client over a blocking socket, with as few rules as it can have.
final class TLSTestClient {
    struct Failure: Error {
        let reason: String
    }

    let socket: TestSocket
    let session: OpaquePointer
    private let context: OpaquePointer

    /// - Parameters:
    ///   - version: the only one that it speaks; nil for the library's choice.
    ///   - protocols: for ALPN.
    ///   - resuming: an earlier client's ``session``, with the ticket that it got.
    convenience init(
        to address: SocketAddress, version: Int32? = nil, protocols: [String] = [], resuming: TLSTestClient? = nil,
        receiveBufferBytes: Int32? = nil
    ) throws {
        try self.init(over: try TestSocket(to: address, receiveBufferBytes: receiveBufferBytes), version: version)
        let list = protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        if !list.isEmpty { SSL_set_alpn_protos(session, list, UInt32(list.count)) }
        if let resuming {
            let ticket = SSL_get1_session(resuming.session)
            SSL_set_session(session, ticket)
            SSL_SESSION_free(ticket)
        }
    }

    init(over socket: TestSocket, version: Int32? = nil) throws {
        self.socket = socket
        context = try #require(SSL_CTX_new(TLS_client_method()))
        session = try #require(SSL_new(context))
        if let version {
            SSL_ctrl(session, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(version), nil)
            SSL_ctrl(session, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(version), nil)
        }
        SSL_set_fd(session, socket.descriptor)
        SSL_set_connect_state(session)
    }

    deinit {
        // As after a clean end, or the ticket would be spoilt for a later client.
        SSL_set_shutdown(session, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN)
        SSL_free(session)
        SSL_CTX_free(context)
    }

    private static func failure() -> Failure {
        let code = ERR_get_error()
        ERR_clear_error()
        return Failure(reason: ERR_reason_error_string(code).map { String(cString: $0) } ?? "errno \(errno)")
    }

    var version: Int32 { SSL_version(session) }
    var isResumed: Bool { SSL_session_reused(session) == 1 }

    func handshake() throws {
        ERR_clear_error()
        guard SSL_do_handshake(session) == 1 else { throw Self.failure() }
    }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) throws {
        ERR_clear_error()
        guard SSL_write(session, bytes, Int32(bytes.count)) == bytes.count else { throw Self.failure() }
    }

    /// At most a record; empty at the peer's goodbye.
    func read(atMost limit: Int = 16 << 10) throws -> [UInt8] {
        ERR_clear_error()
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = SSL_read(session, &bytes, Int32(limit))
        if count <= 0, SSL_get_error(session, count) == SSL_ERROR_ZERO_RETURN { return [] }
        guard count > 0 else { throw Self.failure() }
        return Array(bytes.prefix(Int(count)))
    }

    func read(exactly count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let more = try read(atMost: min(count - bytes.count, 16 << 10))
            guard !more.isEmpty else { throw TestSocket.UnexpectedEnd() }
            bytes += more
        }
        return bytes
    }

    func readText(_ count: Int) throws -> String { String(decoding: try read(exactly: count), as: UTF8.self) }

    func readToEnd() throws -> [UInt8] {
        var bytes: [UInt8] = []
        while case let more = try read(), !more.isEmpty { bytes += more }
        return bytes
    }

    /// Says that it sends no more; reading goes on.
    func sayGoodbye() { SSL_shutdown(session) }
}
