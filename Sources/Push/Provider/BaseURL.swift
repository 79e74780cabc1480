/// The address of a service, or of what takes its place.
package enum BaseURL {
    package static let expectation = "a URL that begins with https://, such as https://proxy.example/apns"

    /// Whether requests can go there: what is sent holds keys and texts, so TLS protects it, whoever the proxy is.
    package static func isUsable(_ text: String) -> Bool {
        let scheme = "https://"
        guard text.hasPrefix(scheme), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"?#@\\".utf8.contains($0) })
        else { return false }
        let authority = text.dropFirst(scheme.count).prefix { $0 != "/" }
        // The colons of an IPv6 address stand between brackets.
        let end = authority.lastIndex(of: "]").map(authority.index(after:)) ?? authority.firstIndex(of: ":")
        let (host, port) = (authority[..<(end ?? authority.endIndex)], authority[(end ?? authority.endIndex)...])
        return !host.isEmpty && (port.isEmpty || port.first == ":" && UInt16(port.dropFirst()).map { $0 > 0 } == true)
    }

    /// Scheme and host, and what comes before all paths where a proxy has other services as well; without a slash at
    /// the end.
    static func text(_ endpoint: String?, orElse real: String) -> String {
        guard var endpoint else { return real }
        while endpoint.hasSuffix("/") { endpoint.removeLast() }
        return endpoint
    }

    /// Scheme and host on one hand, which a connection is for, and on the other what comes before all paths, mostly
    /// nothing.
    package static func parts(of base: String) -> (origin: String, path: String) {
        var slashes = 0
        let start = base.utf8.firstIndex { byte in
            if byte == UInt8(ascii: "/") { slashes += 1 }
            // Two of them follow the scheme.
            return slashes == 3
        }
        guard let start else { return (base, "") }
        return (String(base[..<start]), String(base[start...]))
    }
}
