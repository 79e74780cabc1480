package import Transport

/// Where a gateway's live protocol is: `ws://host[:port][/path]`.
package struct LiveURL: Sendable, Hashable {
    package let address: SocketAddress
    /// For the `Host` header.
    package let authority: String
    package let path: String

    /// Why a text is no such URL.
    package struct Problem: Error, CustomStringConvertible {
        package let description: String
    }

    /// A URL without a path means the gateway's own, `/v1/live`.
    package init(_ text: String) throws(Problem) {
        guard text.hasPrefix("ws://") else {
            throw Problem(description: "expected ws://host:port; this client does not speak TLS")
        }
        let rest = text.dropFirst("ws://".count)
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        authority = String(rest[..<slash])
        let path = String(rest[slash...])
        self.path = path.isEmpty || path == "/" ? "/v1/live" : path
        let hasPort = authority.contains(":") && !authority.hasSuffix("]")
        guard !authority.isEmpty, let address = SocketAddress(hasPort ? authority : "\(authority):80") else {
            throw Problem(description: "expected ws://host:port")
        }
        self.address = address
    }
}
