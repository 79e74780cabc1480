import COpenSSL
import Glibc

/// A server's certificate, key and rules for TLS 1.2 and 1.3; made once, then shared by all shards.
package final class TLSContext: Sendable {
    /// The library's own context, as an address: Swift takes no pointer for `Sendable`. Once set up, a context is only
    /// read and counted by the library, which locks for both (OpenSSL, "openssl-threads").
    private let address: UInt
    /// In the order in which the server prefers them; empty for no negotiation.
    private let applicationProtocols: [[UInt8]]

    /// - Parameters:
    ///   - certificateFile: PEM, the chain behind the certificate.
    ///   - keyFile: PEM.
    ///   - applicationProtocols: names for ALPN (RFC 7301), the preferred one first: `["h2", "http/1.1"]`.
    /// - Throws: when a file cannot be read, or key and certificate do not belong together.
    package init(certificateFile: String, keyFile: String, applicationProtocols: [String] = []) throws(TLSFailure) {
        // The library writes with write(2): a peer that left would otherwise end the process.
        signal(SIGPIPE, SIG_IGN)
        guard let context = SSL_CTX_new(TLS_server_method()) else { throw TLSFailure("SSL_CTX_new") }
        address = UInt(bitPattern: context)
        self.applicationProtocols = applicationProtocols.map { Array($0.utf8) }
        Self.setRules(context)
        if !applicationProtocols.isEmpty {
            // Sessions keep this object alive, and only their handshakes call back.
            let this = Unmanaged.passUnretained(self).toOpaque()
            SSL_CTX_set_alpn_select_cb(context, Self.selectApplicationProtocol, this)
        }
        guard SSL_CTX_use_certificate_chain_file(context, certificateFile) == 1 else {
            throw TLSFailure("certificate \(certificateFile)")
        }
        guard SSL_CTX_use_PrivateKey_file(context, keyFile, SSL_FILETYPE_PEM) == 1 else {
            throw TLSFailure("key \(keyFile)")
        }
        guard SSL_CTX_check_private_key(context) == 1 else { throw TLSFailure("key \(keyFile)") }
    }

    deinit { SSL_CTX_free(OpaquePointer(bitPattern: address)) }

    /// A fresh session state, owned by the caller.
    func makeSession() throws(TLSFailure) -> OpaquePointer {
        guard let session = SSL_new(OpaquePointer(bitPattern: address)) else { throw TLSFailure("SSL_new") }
        return session
    }

    private static func setRules(_ context: OpaquePointer) {
        _ = belfry_ssl_set_minimum_version(context, TLS1_2_VERSION)
        // Idle connections give their buffers back: 14 KB each instead of 47.
        belfry_ssl_set_mode(
            context,
            Int(SSL_MODE_RELEASE_BUFFERS) | Int(SSL_MODE_ENABLE_PARTIAL_WRITE)
                | Int(SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER))
        // Many clients leave without saying so; every protocol above tells its own end, so nothing is cut unseen.
        SSL_CTX_set_options(
            context, belfry_ssl_option_no_renegotiation() | belfry_ssl_option_ignore_unexpected_eof())
        // Resumption goes by tickets, which the client keeps: a cache here would only take memory.
        belfry_ssl_set_session_cache_off(context)
    }

    /// Chooses the server's first protocol that the client offers too; without one the handshake fails
    /// (RFC 7301 §3.2).
    private static let selectApplicationProtocol: SSL_CTX_alpn_select_cb_func = {
        _, chosen, chosenCount, offer, offerBytes, argument in
        guard let argument, let offer, let chosen, let chosenCount else { return SSL_TLSEXT_ERR_ALERT_FATAL }
        let context = Unmanaged<TLSContext>.fromOpaque(argument).takeUnretainedValue()
        let offered = UnsafeBufferPointer(start: offer, count: Int(offerBytes))
        for name in context.applicationProtocols {
            var index = 0
            while index < offered.count {
                let (start, count) = (index + 1, Int(offered[index]))
                guard start + count <= offered.count else { break }
                if offered[start..<start + count].elementsEqual(name) {
                    chosen.pointee = offer + start
                    chosenCount.pointee = UInt8(count)
                    return SSL_TLSEXT_ERR_OK
                }
                index = start + count
            }
        }
        return SSL_TLSEXT_ERR_ALERT_FATAL
    }
}
