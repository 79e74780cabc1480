/// The contact that a push service may ask about this server (RFC 8292 §2.1): a `mailto:` or `https:` URL.
///
/// Apple refuses every push with a subject that it does not believe (403 `BadJwtToken`). It refuses `localhost` in an
/// address or URL (web-push-libs/web-push, issue 947 and pull request 787), a blank behind `mailto:`, and a word that
/// is no URL. Only names that may exist in public are therefore accepted.
package enum VAPIDSubject {
    package static let expectation =
        "a mailto: or https: URL with a public host name and without blanks, such as mailto:ops@example.com"

    package static func isTaken(_ text: String) -> Bool {
        guard text.utf8.count <= 320, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return false }
        if text.hasPrefix("mailto:") {
            let parts = text.dropFirst("mailto:".count).split(separator: "@", omittingEmptySubsequences: false)
            return parts.count == 2 && isLocalPart(parts[0]) && isPublicName(parts[1])
        }
        guard text.hasPrefix("https://") else { return false }
        let authority = text.dropFirst("https://".count).prefix { !"/?#".contains($0) }
        let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.count == 1 || UInt16(parts[1]).map({ $0 > 0 }) == true else { return false }
        return isPublicName(parts[0])
    }

    /// RFC 5321 §4.1.2, without quotes and without what a URL would have to escape (RFC 6068 §2).
    private static func isLocalPart(_ text: Substring) -> Bool {
        let atoms = text.split(separator: ".", omittingEmptySubsequences: false)
        return atoms.allSatisfy {
            !$0.isEmpty && $0.allSatisfy { $0.isLetter || $0.isNumber || "!$'*+-_~".contains($0) }
        }
    }

    /// Whether the name has two labels or more, and no end that is never public (RFC 6761, RFC 6762).
    private static func isPublicName(_ text: Substring) -> Bool {
        let labels = text.lowercased().split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count >= 2, text.utf8.count <= 253, let last = labels.last else { return false }
        return labels.allSatisfy(isLabel) && last.contains { $0.isLetter } && !privateEnds.contains(String(last))
    }

    private static let privateEnds: Set = ["localhost", "local", "localdomain", "internal", "invalid", "lan", "home"]

    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
            && label.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" }
    }
}
