/// The app's own name for a person; opaque, compared octet by octet, 1...200 bytes of UTF-8 without U+0000, at which the
/// store's texts would end.
package struct UserID: Sendable, Hashable, RawRepresentable {
    package static let maximumBytes = 200

    package var rawValue: String { exact.text }
    private let exact: ExactText

    package init?(rawValue: String) {
        guard (1...Self.maximumBytes).contains(rawValue.utf8.count), !rawValue.utf8.contains(0) else { return nil }
        exact = ExactText(rawValue)
    }

    // Said here, as `RawRepresentable` would otherwise compare the strings.
    package static func == (one: Self, other: Self) -> Bool { one.exact == other.exact }
    package func hash(into hasher: inout Hasher) { hasher.combine(exact) }
}
