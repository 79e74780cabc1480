import COpenSSL
import Glibc

/// A server's certificate, key and rules for TLS 1.2 and 1.3; made once, then shared by all shards.
package final class TLSContext: Sendable {
    /// The library's context, as a number because a pointer is not `Sendable`. After its setup the library only reads
    /// and counts it, and locks for both (OpenSSL, "openssl-threads").
    private let address: UInt
    /// In the server's order of preference; empty for no negotiation.
    private let applicationProtocols: [[UInt8]]
    /// The library uses it while the context lives.
    private let tickets: TLSTicketKeys
    let handshakes: TLSHandshakeCounts
    let handshakeTimeout: Duration

    /// A context for servers whose certificate does not change; others use a ``TLSServer``.
    ///
    /// - Throws: the errors of ``TLSServer/init(_:)``.
    package convenience init(
        certificateFile: String, keyFile: String, applicationProtocols: [String] = []
    ) throws(TLSFailure) {
        try self.init(
            TLSServerSettings(
                certificateFile: certificateFile, keyFile: keyFile, applicationProtocols: applicationProtocols),
            tickets: TLSTicketKeys(), handshakes: TLSHandshakeCounts())
    }

    init(
        _ settings: TLSServerSettings, tickets: TLSTicketKeys, handshakes: TLSHandshakeCounts
    ) throws(TLSFailure) {
        let context = try TLSRules.makeContext(TLS_server_method(), minimumVersion: settings.minimumVersion)
        address = UInt(bitPattern: context)
        applicationProtocols = settings.applicationProtocols.map { Array($0.utf8) }
        self.tickets = tickets
        self.handshakes = handshakes
        handshakeTimeout = settings.handshakeTimeout
        tickets.serve(context)
        if !applicationProtocols.isEmpty {
            // Sessions keep this object alive, and only their handshakes call back.
            let this = Unmanaged.passUnretained(self).toOpaque()
            SSL_CTX_set_alpn_select_cb(context, Self.selectApplicationProtocol, this)
        }
        // An encrypted key is refused, because the library would ask for its password on the terminal.
        SSL_CTX_set_default_passwd_cb(context) { _, _, _, _ in -1 }
        guard SSL_CTX_use_certificate_chain_file(context, settings.certificateFile) == 1 else {
            throw TLSFailure(
                reading: "certificate \(settings.certificateFile)",
                expected: "certificates in PEM form: the server's own, then those up to its authority")
        }
        guard SSL_CTX_use_PrivateKey_file(context, settings.keyFile, SSL_FILETYPE_PEM) == 1,
            SSL_CTX_check_private_key(context) == 1
        else {
            throw TLSFailure(
                reading: "key \(settings.keyFile)",
                expected: "the private key of \(settings.certificateFile) in PEM form, unencrypted")
        }
    }

    /// When the server's own certificate ends, in seconds since 1970; nil if it does not say so.
    var certificateEnd: Int? {
        guard let certificate = SSL_CTX_get0_certificate(OpaquePointer(bitPattern: address)),
            let end = X509_get0_notAfter(certificate)
        else { return nil }
        var moment = tm()
        return ASN1_TIME_to_tm(end, &moment) == 1 ? timegm(&moment) : nil
    }

    deinit { SSL_CTX_free(OpaquePointer(bitPattern: address)) }

    /// A new session state, owned by the caller.
    func makeSession() throws(TLSFailure) -> OpaquePointer {
        guard let session = SSL_new(OpaquePointer(bitPattern: address)) else { throw TLSFailure("SSL_new") }
        SSL_set_accept_state(session)
        return session
    }

    /// Chooses the server's first protocol that the client offers too; without a common one the handshake fails (RFC
    /// 7301 §3.2).
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
