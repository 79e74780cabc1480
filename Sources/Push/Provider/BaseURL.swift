/// The address of a service, or of its replacement.
package enum BaseURL {
    package static let expectation = "a URL that begins with https://, such as https://proxy.example/apns"

    /// Whether requests may go there: they hold keys and texts, so TLS is required, even to a proxy.
    package static func isUsable(_ text: String) -> Bool {
        let scheme = "https://"
        guard text.hasPrefix(scheme), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"?#@\\".utf8.contains($0) })
        else { return false }
        let authority = text.dropFirst(scheme.count).prefix { $0 != "/" }
        // The colons of an IPv6 address are between brackets.
        let end = authority.lastIndex(of: "]").map(authority.index(after:)) ?? authority.firstIndex(of: ":")
        let (host, port) = (authority[..<(end ?? authority.endIndex)], authority[(end ?? authority.endIndex)...])
        return !host.isEmpty && (port.isEmpty || port.first == ":" && UInt16(port.dropFirst()).map { $0 > 0 } == true)
    }

    /// Scheme and host, and the path prefix of a proxy with several services; without a slash at the end.
    static func text(_ endpoint: String?, orElse real: String) -> String {
        guard var endpoint else { return real }
        while endpoint.hasSuffix("/") { endpoint.removeLast() }
        return endpoint
    }

    /// Splits a base URL into scheme and host, which a connection is for, and the prefix of all paths, which is mostly
    /// empty.
    package static func parts(of base: String) -> (origin: String, path: String) {
        var slashes = 0
        let start = base.utf8.firstIndex { byte in
            if byte == UInt8(ascii: "/") { slashes += 1 }
            // The scheme is followed by two of them.
            return slashes == 3
        }
        guard let start else { return (base, "") }
        return (String(base[..<start]), String(base[start...]))
    }
}
