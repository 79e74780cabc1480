/// The address of a WebSocket: `ws://host[:port][/path][?query]`, or `wss://…` over TLS (RFC 6455 §3).
package struct WebSocketURL: Sendable, Hashable {
    package let isSecure: Bool
    /// A name, or an address without brackets.
    package let host: String
    package let port: UInt16
    /// Host and port as they were written, for the `Host` header.
    package let authority: String
    /// With the query; "/" for an empty path.
    package private(set) var path: String

    /// Why a text is no WebSocket URL.
    package struct Problem: Error, CustomStringConvertible {
        package var description: String { "expected ws://host:port/path or wss://host:port/path" }
    }

    package init(_ text: String) throws(Problem) {
        let scheme = text.prefix(while: { $0 != ":" }).lowercased()
        let start = "\(scheme)://"
        guard scheme == "ws" || scheme == "wss", text.count > start.count,
            text.prefix(start.count).lowercased() == start, !text.contains("#")
        else { throw Problem() }
        isSecure = scheme == "wss"
        let rest = text.dropFirst(start.count)
        let pathStart = rest.firstIndex { "/?".contains($0) } ?? rest.endIndex
        authority = String(rest[..<pathStart])
        let path = String(rest[pathStart...])
        self.path = path.hasPrefix("/") ? path : "/" + path
        let hasPort = authority.contains(":") && !authority.hasSuffix("]")
        guard !authority.isEmpty, !authority.contains("@"),
            case .tcp(let host, let port) = SocketAddress(hasPort ? authority : "\(authority):\(isSecure ? 443 : 80)"),
            !host.isEmpty
        else { throw Problem() }
        (self.host, self.port) = (host, port)
    }

    /// A URL of the same server with another path.
    package func at(_ path: String) -> WebSocketURL {
        var url = self
        url.path = path
        return url
    }

    package var address: SocketAddress { .tcp(host: host, port: port) }
}
