/// The feeds of a rule: one feed by its name, or all feeds of a form such as `query:*`. The `*` stands for at least one
/// byte.
package struct FeedPattern: Sendable, Hashable {
    private let prefix: String
    /// The text behind the `*`; nil for the name of one feed.
    private let suffix: String?

    /// - Returns: nil for an empty text, or one with more than one `*`.
    package init?(_ text: String) {
        let parts = text.split(separator: "*", omittingEmptySubsequences: false).map(String.init)
        guard !text.isEmpty, parts.count <= 2 else { return nil }
        (prefix, suffix) = (parts[0], parts.count == 2 ? parts[1] : nil)
    }

    /// The one feed of this name.
    package init(exactly name: String) { (prefix, suffix) = (name, nil) }

    package var text: String { suffix.map { "\(prefix)*\($0)" } ?? prefix }
    package var hasWildcard: Bool { suffix != nil }

    /// The part of the feed's name that the `*` stands for; the whole name for a pattern without `*`. Nil if the name
    /// does not match.
    package func match(_ feed: String) -> String? {
        let name = feed.utf8
        guard let suffix else { return name.elementsEqual(prefix.utf8) ? feed : nil }
        guard name.count > prefix.utf8.count + suffix.utf8.count, name.starts(with: prefix.utf8),
            name.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
        else { return nil }
        return String(Substring(name.dropFirst(prefix.utf8.count).dropLast(suffix.utf8.count)))
    }

    /// The pattern's text with `value` for the `*`.
    package func filled(with value: String) -> String { suffix.map { "\(prefix)\(value)\($0)" } ?? prefix }

    /// A name that matches, as short as possible.
    var example: String { filled(with: "x") }

    /// Whether some feed name matches both patterns.
    package func overlaps(_ other: FeedPattern) -> Bool {
        guard let suffix else { return other.match(prefix) != nil }
        guard let otherSuffix = other.suffix else { return match(other.prefix) != nil }
        return prefix.utf8.isEnd(of: other.prefix.utf8, fromStart: true)
            && suffix.utf8.isEnd(of: otherSuffix.utf8, fromStart: false)
    }

    /// Orders overlapping patterns: the one that fixes more of a name comes first.
    func isNarrower(than other: FeedPattern) -> Bool { weight > other.weight }

    private var weight: Int { suffix.map { prefix.utf8.count + $0.utf8.count } ?? .max }

    package static func == (one: Self, other: Self) -> Bool { ExactText(one.text) == ExactText(other.text) }
    package func hash(into hasher: inout Hasher) { hasher.combine(ExactText(text)) }
}

extension String.UTF8View {
    /// Whether the shorter of the two is the beginning, or the end, of the longer one.
    fileprivate func isEnd(of other: String.UTF8View, fromStart: Bool) -> Bool {
        fromStart
            ? zip(self, other).allSatisfy { $0 == $1 } : zip(reversed(), other.reversed()).allSatisfy { $0 == $1 }
    }
}
