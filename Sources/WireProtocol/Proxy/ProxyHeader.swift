/// What a PROXY protocol header says about the connection behind the proxy.
package enum ProxyHeader: Sendable, Hashable {
    /// The proxy's own connection, such as a health check: the socket's peer is the client.
    case local
    /// A client's, at this address; nil where the proxy does not tell one (a Unix socket's, or an unknown family).
    case proxied(IPAddress?)
}

/// Why bytes are no acceptable PROXY header.
package enum ProxyViolation: Error, Sendable, Hashable {
    /// Something else begins the connection: TLS, HTTP, noise.
    case missing
    /// The text form, version 1: senders are to use version 2.
    case version1
    case unknownVersion
    case unknownCommand
    /// An address that is longer than the header says to be.
    case tooShort
    /// More than any proxy sends.
    case tooLong
}
