/// The settings of a TLS server, used again when its files have changed.
package struct TLSServerSettings: Sendable, Equatable {
    /// PEM: the certificate, followed by its chain.
    package var certificateFile: String
    /// PEM.
    package var keyFile: String
    /// Names for ALPN (RFC 7301), the preferred one first: `["h2", "http/1.1"]`; empty for no negotiation.
    package var applicationProtocols: [String]
    package var minimumVersion: TLSVersion
    /// From the connection to the end of the handshake; a later connection is closed.
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
