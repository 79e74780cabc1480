/// The address of a service, or of what takes its place.
package enum BaseURL {
    /// Scheme and host, and what comes before all paths where a proxy has other services as well; without a slash at the end.
    static func text(_ endpoint: String?, orElse real: String) -> String {
        guard var endpoint else { return real }
        while endpoint.hasSuffix("/") { endpoint.removeLast() }
        return endpoint
    }

    /// Scheme and host on one hand, which a connection is for, and on the other what comes before all paths, mostly nothing.
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
