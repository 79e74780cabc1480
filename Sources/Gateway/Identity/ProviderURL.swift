import WireProtocol

/// An address at which a provider's documents are fetched.
///
/// What comes from there decides who may log in, so it has to come over TLS. Only a provider on this machine may do
/// without.
package struct ProviderURL: Sendable, Hashable {
    package static let expectation = "a URL that begins with https://, or with http:// and a loopback host"

    package let text: String
    /// In lower case, with the brackets of an IPv6 address.
    let host: String
    let isEncrypted: Bool
    private let hasQuery: Bool

    /// Nil for any other scheme, and for a user, a fragment, or octets that no URL has.
    package init?(_ text: String) {
        let isEncrypted = text.hasPrefix("https://")
        guard isEncrypted || text.hasPrefix("http://"),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"#@\\\"<>".utf8.contains($0) })
        else { return nil }
        let authority = text.dropFirst(isEncrypted ? 8 : 7).prefix { $0 != "/" && $0 != "?" }
        guard let host = HTTPAuthority(String(authority))?.host.lowercased(), !host.isEmpty,
            isEncrypted || Self.isLoopback(host)
        else { return nil }
        (self.text, self.host, self.isEncrypted) = (text, host, isEncrypted)
        hasQuery = text.contains("?")
    }

    private static func isLoopback(_ host: String) -> Bool {
        let address = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        return host == "localhost" || IPAddress(address)?.isLoopback == true
    }

    /// Whether it may name an issuer: OpenID Connect Discovery 1.0 §3 allows no query.
    package var isIssuer: Bool { !hasQuery }

    /// Whether a document from here may lead there: to TLS, or from a host without it to itself.
    func mayLead(to other: ProviderURL) -> Bool { other.isEncrypted || !isEncrypted && other.host == host }

    /// Where an issuer's settings are (OpenID Connect Discovery 1.0 §4.1): a slash at the end does not count.
    var discovery: String {
        (text.hasSuffix("/") ? String(text.dropLast()) : text) + "/.well-known/openid-configuration"
    }
}
