import COpenSSL
import Glibc

/// The rules for the contexts of both sides.
enum TLSRules {
    /// Forward secrecy and authenticated encryption only (RFC 9325 §4.2); TLS 1.3 has no other ciphers.
    private static let ciphers = "ECDHE+AESGCM:ECDHE+CHACHA20"
    private static let groups = "X25519:P-256"

    /// A context of `method` with these rules, owned by the caller.
    static func makeContext(_ method: OpaquePointer?, minimumVersion: TLSVersion) throws(TLSFailure) -> OpaquePointer {
        // On a socket of its own the library uses write(2): a peer that left would end the process.
        signal(SIGPIPE, SIG_IGN)
        ERR_clear_error()
        guard let context = SSL_CTX_new(method) else { throw TLSFailure("SSL_CTX_new") }
        guard belfry_ssl_set_minimum_version(context, minimumVersion.number) == 1,
            SSL_CTX_set_cipher_list(context, ciphers) == 1, belfry_ssl_set_groups(context, groups) == 1
        else {
            let failure = TLSFailure("SSL_CTX_set_cipher_list")
            SSL_CTX_free(context)
            throw failure
        }
        // Idle connections release their buffers: 14 KB each instead of 47.
        belfry_ssl_set_mode(context, Int(SSL_MODE_RELEASE_BUFFERS) | Int(SSL_MODE_ENABLE_PARTIAL_WRITE))
        // The head and body of a record come in one read instead of two.
        belfry_ssl_set_read_ahead(context)
        // Many peers leave without a goodbye. Every protocol above marks its own end, so no cut goes unnoticed.
        SSL_CTX_set_options(
            context,
            belfry_ssl_option_no_renegotiation() | belfry_ssl_option_no_compression()
                | belfry_ssl_option_ignore_unexpected_eof() | belfry_ssl_option_server_preference())
        // Sessions are resumed by tickets, which the client keeps: a cache here would only take memory.
        belfry_ssl_set_session_cache_off(context)
        return context
    }
}
