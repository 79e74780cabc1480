/// The content of a PROXY protocol header about the connection behind the proxy.
package enum ProxyHeader: Sendable, Hashable {
    /// A connection of the proxy itself, such as a health check: the socket's peer is the client.
    case local
    /// A client's connection, from this address; nil if the proxy tells none (Unix socket, unknown family).
    case proxied(IPAddress?)
}

/// Why bytes are no acceptable PROXY header.
package enum ProxyViolation: Error, Sendable, Hashable {
    /// The connection begins with other bytes: TLS, HTTP, noise.
    case missing
    /// The text form, version 1; senders must use version 2.
    case version1
    case unknownVersion
    case unknownCommand
    /// The header's length is too short for its address.
    case tooShort
    /// Longer than the header of any proxy.
    case tooLong
}
