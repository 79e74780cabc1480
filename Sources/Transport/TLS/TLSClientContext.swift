import COpenSSL
import Glibc

/// The certificates that a client trusts; made once, then shared by all shards.
package final class TLSClientContext: Sendable {
    /// The same as in ``TLSContext``.
    private let address: UInt
    let handshakeTimeout: Duration

    /// - Parameters:
    ///   - caFile: PEM, the roots to trust in place of the system's.
    ///   - applicationProtocols: names for ALPN, the preferred one first; empty for no negotiation.
    ///   - handshakeTimeout: from the beginning of the connection to the end of the handshake.
    /// - Throws: if the file cannot be read; the error names it.
    package init(
        caFile: String? = nil, applicationProtocols: [String] = ["http/1.1"], minimumVersion: TLSVersion = .tls12,
        handshakeTimeout: Duration = .seconds(10)
    ) throws(TLSFailure) {
        self.handshakeTimeout = handshakeTimeout
        let context = try TLSRules.makeContext(TLS_client_method(), minimumVersion: minimumVersion)
        address = UInt(bitPattern: context)
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
        if let caFile {
            guard SSL_CTX_load_verify_file(context, caFile) == 1 else {
                throw TLSFailure(reading: "CA file \(caFile)", expected: "certificates in PEM form")
            }
        } else if SSL_CTX_set_default_verify_paths(context) != 1 {
            throw TLSFailure("SSL_CTX_set_default_verify_paths")
        }
        let names = applicationProtocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        // Unlike other functions, this one returns 0 for success.
        guard names.isEmpty || SSL_CTX_set_alpn_protos(context, names, UInt32(names.count)) == 0 else {
            throw TLSFailure("SSL_CTX_set_alpn_protos")
        }
    }

    deinit { SSL_CTX_free(OpaquePointer(bitPattern: address)) }

    /// A new session state, owned by the caller. Its handshake fails unless the certificate is for `host` (RFC 6125).
    ///
    /// - Parameter host: a name, or an address without brackets.
    func makeSession(host: String) throws(TLSFailure) -> OpaquePointer {
        guard let session = SSL_new(OpaquePointer(bitPattern: address)) else { throw TLSFailure("SSL_new") }
        SSL_set_connect_state(session)
        guard Self.expect(host, session) else {
            let failure = TLSFailure("host \(host)")
            SSL_free(session)
            throw failure
        }
        return session
    }

    private static func expect(_ host: String, _ session: OpaquePointer) -> Bool {
        // An address is compared with the certificate's addresses, and is not sent as a server name (RFC 6066 §3).
        if X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session), host) == 1 { return true }
        ERR_clear_error()
        SSL_set_hostflags(session, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
        return SSL_set1_host(session, host) == 1 && belfry_ssl_set_server_name(session, host) == 1
    }
}
