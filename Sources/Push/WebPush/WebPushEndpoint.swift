/// The URL at which a push service takes messages for one subscription (RFC 8030 §2). A secret: its owner can push.
///
/// It comes from a client, and the server sends requests to it. Only `https` and listed hosts are accepted, so that
/// nobody can aim requests at the server's own network. `fcm.googleapis.com` allows only itself, `.push.apple.com` all
/// names below it. The port is 443 unless the list names another: `localhost:4443`. An address must be on the list
/// exactly as written.
package struct WebPushEndpoint: Sendable, Hashable {
    /// Endpoints of today's services take a few hundred bytes.
    package static let maximumBytes = 2_048

    /// Scheme, host and port (RFC 6454 §6.2); the port only if it is not 443.
    package let origin: String
    /// Path and query.
    let path: String

    package var url: String { origin + path }

    private init(origin: String, path: String) {
        self.origin = origin
        self.path = path
    }

    /// - Parameter hosts: the list of allowed hosts.
    package init(_ url: String, hosts: [String]) throws(WebPushEndpointError) {
        guard url.utf8.count <= Self.maximumBytes else { throw .tooLong }
        // URL parsers drop some characters or read them as others, which could lead to a host that was not checked
        // here.
        guard url.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !##"\#<>"^`{|}"##.utf8.contains($0) }) else {
            throw .invalidCharacter
        }
        let scheme = "https://"
        guard url.prefix(scheme.count).lowercased() == scheme else { throw .notSecure }
        let rest = url.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard !authority.contains("@") else { throw .userInformation }
        guard let place = Place(authority.lowercased()) else { throw .invalidHost }
        guard hosts.contains(where: { place.isCovered(by: $0.lowercased()) }) else { throw .hostNotAllowed }
        let path = rest.dropFirst(authority.count)
        guard path.hasPrefix("/"), path.count > 1 else { throw .noPath }
        self.init(origin: scheme + place.text, path: String(path))
    }

    /// The same path at another base URL, chosen by the operator.
    func moved(to base: String) -> WebPushEndpoint {
        var base = base[...]
        while base.hasSuffix("/") { base.removeLast() }
        guard let slashes = base.firstRange(of: "://") else { return WebPushEndpoint(origin: String(base), path: path) }
        let end = base[slashes.upperBound...].firstIndex(of: "/") ?? base.endIndex
        var origin = base[..<end]
        if origin.hasSuffix(":443") { origin.removeLast(4) }
        return WebPushEndpoint(origin: String(origin), path: base[end...] + path)
    }
}

/// Host and port.
private struct Place {
    let host: Substring
    let port: UInt16

    /// The form in an origin.
    var text: String { port == 443 ? String(host) : "\(host):\(port)" }

    /// Nil unless the text is a name or an address, with or without a port.
    init?(_ authority: String) {
        let isLiteral = authority.hasPrefix("[")
        let end = isLiteral ? authority.firstIndex(of: "]").map(authority.index(after:)) : authority.firstIndex(of: ":")
        host = authority[..<(end ?? authority.endIndex)]
        guard isLiteral ? Self.isIPv6(host) : Self.isName(host) else { return nil }
        let rest = authority[host.endIndex...]
        guard !rest.isEmpty else {
            port = 443
            return
        }
        guard rest.first == ":", rest.dropFirst().allSatisfy(\.isNumber), let number = UInt16(rest.dropFirst()),
            number > 0
        else { return nil }
        port = number
    }

    private static func isIPv6(_ host: Substring) -> Bool {
        host.hasSuffix("]") && host.dropFirst().dropLast().allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
    }

    /// RFC 1123 §2.1; an IPv4 address has the same form.
    private static func isName(_ host: Substring) -> Bool {
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        return host.utf8.count <= 253
            && labels.allSatisfy { label in
                (1...63).contains(label.utf8.count) && label.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" }
            }
    }

    /// Whether an entry of the list allows this place. A suffix never covers an address, because addresses have no
    /// parents.
    func isCovered(by entry: String) -> Bool {
        let suffix = entry.hasPrefix(".")
        guard let listed = Place(suffix ? String(entry.dropFirst()) : entry), listed.port == port else { return false }
        return suffix ? !isAddress && host.hasSuffix("." + listed.host) : host == listed.host
    }

    /// Resolvers take a name whose last label is a number for an IPv4 address, in several notations (WHATWG URL, "ends
    /// in a number").
    private var isAddress: Bool {
        guard !host.hasPrefix("["), let last = host.split(separator: ".").last else { return true }
        return last.allSatisfy(\.isNumber) || last.hasPrefix("0x")
    }
}
