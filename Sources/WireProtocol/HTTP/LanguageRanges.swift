/// The languages that a client wants its answer in: `Accept-Language` (RFC 9110 §12.5.4).
package struct LanguageRanges: Sendable, Hashable {
    /// The most wanted one first; equal ones in their written order. `*` stands for all that are not named.
    package private(set) var wanted: [String] = []
    /// The languages with quality 0.
    package private(set) var refused: [String] = []

    /// For a client without a wish.
    package init() {}

    package init(_ headers: HTTPHeaders) {
        var weighed: [(range: String, quality: Int)] = []
        for element in headers.elements(of: "Accept-Language") {
            let parts = element.split(separator: ";", omittingEmptySubsequences: false).map(Self.trimmed)
            // Malformed elements are ignored.
            guard Self.isRange(parts[0]), let quality = Self.quality(parts.dropFirst()) else { continue }
            if quality > 0 { weighed.append((parts[0], quality)) } else { refused.append(parts[0]) }
        }
        // The sort keeps the order of equal elements.
        wanted = weighed.enumerated().sorted {
            ($1.element.quality, $0.offset) < ($0.element.quality, $1.offset)
        }.map(\.element.range)
    }

    private static func trimmed(_ text: Substring) -> String { String(Substring(text.utf8.trimmingSpaceAndTab)) }

    /// RFC 4647 §2.1.
    private static func isRange(_ text: String) -> Bool {
        text == "*" || text.wholeMatch(of: /[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*/) != nil
    }

    /// In thousandths (RFC 9110 §12.4.2); 1000 without a parameter, nil for an invalid one.
    private static func quality(_ parameters: ArraySlice<String>) -> Int? {
        guard let parameter = parameters.first else { return 1_000 }
        guard parameters.count == 1,
            let match = parameter.wholeMatch(of: /[qQ][ \t]*=[ \t]*(0(?:\.([0-9]{0,3}))?|1(?:\.0{0,3})?)/)
        else { return nil }
        if match.1.hasPrefix("1") { return 1_000 }
        let digits = match.2 ?? ""
        return Int(digits + String(repeating: "0", count: 3 - digits.count))
    }
}
