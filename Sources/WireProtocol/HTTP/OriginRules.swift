/// The web origins (RFC 6454) whose pages may connect. Browsers send `Origin` with each WebSocket handshake, and no
/// page can change it. The rules protect users' sessions in browsers; a program can send any origin.
package struct OriginRules: Sendable, Equatable {
    /// Thrown for an entry that is no origin.
    package struct Malformed: Error, Hashable, CustomStringConvertible {
        package let entry: String

        package var description: String {
            "'\(entry)' is no origin such as https://app.example.com, no wildcard such as https://*.example.com, "
                + "and not the word null"
        }
    }

    private enum Rule: Hashable {
        case exact(Origin)
        /// One or more labels before the host. The host begins with a dot.
        case subdomains(Origin)
        /// The origin of files and other pages without an origin.
        case null
    }

    package static let all = OriginRules(rules: [])

    private let rules: [Rule]

    private init(rules: [Rule]) { self.rules = rules }

    /// - Parameter entries: `SCHEME://HOST[:PORT]`, with `*.` before the host for one or more labels, or `null`. Without
    ///   entries all origins are allowed.
    package init(_ entries: [String]) throws(Malformed) {
        var rules: [Rule] = []
        for entry in entries {
            guard let rule = Self.rule(entry) else { throw Malformed(entry: entry) }
            rules.append(rule)
        }
        self.init(rules: rules)
    }

    private static func rule(_ entry: String) -> Rule? {
        if entry == "null" { return .null }
        let parts = entry.split(separator: "://*.", maxSplits: 1, omittingEmptySubsequences: false)
        let isWildcard = parts.count == 2
        guard let origin = Origin(isWildcard ? "\(parts[0])://\(parts[1])" : entry), !origin.host.contains("*") else {
            return nil
        }
        return isWildcard
            ? .subdomains(Origin(scheme: origin.scheme, host: "." + origin.host, port: origin.port)) : .exact(origin)
    }

    /// Whether there are rules; without any, all origins are allowed.
    var nameAny: Bool { !rules.isEmpty }

    /// Whether a request with these fields is allowed. A request without `Origin` does not come from a page.
    package func allow(_ headers: HTTPHeaders) -> Bool {
        guard !rules.isEmpty else { return true }
        let values = headers.values("Origin")
        guard let value = values.first else { return true }
        guard values.count == 1 else { return false }
        if value == "null" { return rules.contains(.null) }
        guard let origin = Origin(value) else { return false }
        return rules.contains { rule in
            switch rule {
            case .exact(let allowed): allowed == origin
            case .subdomains(let parent):
                parent.scheme == origin.scheme && parent.port == origin.port && origin.host.hasSuffix(parent.host)
                    && origin.host.utf8.count > parent.host.utf8.count
            case .null: false
            }
        }
    }
}

/// Scheme, host and port (RFC 6454 §4), in lower case; the port is the scheme's own if none is given.
private struct Origin: Hashable {
    let scheme: String
    let host: String
    let port: UInt16?

    init(scheme: String, host: String, port: UInt16?) {
        self.scheme = scheme
        self.host = host
        self.port = port
    }

    init?(_ text: String) {
        // ASCII only, because lower case can turn other characters into ASCII letters: the Kelvin sign becomes "k".
        guard text.utf8.allSatisfy({ $0 < 0x80 }), let mark = text.firstRange(of: "://") else { return nil }
        let scheme = text[..<mark.lowerBound].lowercased()
        guard let authority = HTTPAuthority(text[mark.upperBound...].lowercased()), !scheme.isEmpty,
            scheme.utf8.allSatisfy({ $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) }), !authority.host.isEmpty
        else { return nil }
        self.init(scheme: scheme, host: authority.host, port: authority.port ?? Self.defaultPort(of: scheme))
    }

    private static func defaultPort(of scheme: String) -> UInt16? {
        switch scheme {
        case "http", "ws": 80
        case "https", "wss": 443
        case _: nil
        }
    }
}
