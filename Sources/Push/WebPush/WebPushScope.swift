/// The page that a browser's pushes open: the scope of its service worker (Service Workers, "scope URL").
///
/// A browser that shows a push without a worker has to be told the whole address, since Safari knows no relative ones.
/// It comes from a client, and only ever goes into pushes to that client's own browser.
package struct WebPushScope: Sendable, Hashable {
    package static let maximumBytes = 512
    package static let expectation =
        "an https URL of at most \(maximumBytes) bytes that ends with a path, or an http URL of localhost"

    /// Scheme, host and port.
    private let origin: Substring
    /// Up to the last slash.
    private let folder: Substring
    /// Without query and fragment.
    private let text: Substring

    /// Nil unless browsers would register a service worker there.
    package init?(_ url: String) {
        guard url.utf8.count <= Self.maximumBytes,
            url.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !##"\"#<>^`{|}"##.utf8.contains($0) }),
            let scheme = ["https://", "http://"].first(where: url.hasPrefix)
        else { return nil }
        let authority = url.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" }
        guard !authority.isEmpty, !authority.contains("@"), scheme == "https://" || Self.isLocal(authority) else {
            return nil
        }
        origin = url.prefix(scheme.count + authority.count)
        text = url.prefix { $0 != "?" }
        guard let slash = text.lastIndex(of: "/"), slash >= origin.endIndex else { return nil }
        folder = text[...slash]
    }

    private static func isLocal(_ authority: Substring) -> Bool {
        let isLiteral = authority.hasPrefix("[")
        let host = isLiteral ? authority.prefix { $0 != "]" } + "]" : authority.prefix { $0 != ":" }
        return ["localhost", "127.0.0.1", "[::1]"].contains(host)
    }

    /// A longer link would leave too little room for the texts.
    private static let maximumLinkBytes = 1_024

    /// The address of a link within this page (RFC 3986 §4.2), for a browser that takes it apart and escapes it as
    /// usual. The page itself without a link, and for one that is too long or that browsers do not open, such as an
    /// app's `rooms://1`.
    package func address(of link: String?) -> String {
        guard let link, !link.isEmpty, link.utf8.count <= Self.maximumLinkBytes else { return String(text) }
        if let colon = link.firstIndex(of: ":"), link[..<colon].allSatisfy(Self.isOfScheme) {
            return ["https", "http"].contains(link[..<colon].lowercased()) ? link : String(text)
        }
        switch link.first {
        case "/": return link.hasPrefix("//") ? origin.prefix { $0 != "/" } + link : origin + link
        case "?", "#": return text + link
        default: return folder + link
        }
    }

    private static func isOfScheme(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "+-.".contains(character))
    }
}
