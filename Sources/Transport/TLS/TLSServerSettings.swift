/// What a TLS server is made from, and made from again when its files have changed.
package struct TLSServerSettings: Sendable, Equatable {
    /// PEM: the certificate, and the chain behind it.
    package var certificateFile: String
    /// PEM.
    package var keyFile: String
    /// Names for ALPN (RFC 7301), the preferred one first: `["h2", "http/1.1"]`; empty for no negotiation.
    package var applicationProtocols: [String]
    package var minimumVersion: TLSVersion
    /// From the connection to the end of the handshake; after that it is closed.
    package var handshakeTimeout: Duration

    package init(
        certificateFile: String, keyFile: String, applicationProtocols: [String] = ["http/1.1"],
        minimumVersion: TLSVersion = .tls12, handshakeTimeout: Duration = .seconds(10)
    ) {
        self.certificateFile = certificateFile
        self.keyFile = keyFile
        self.applicationProtocols = applicationProtocols
        self.minimumVersion = minimumVersion
        self.handshakeTimeout = handshakeTimeout
    }
}
