/// The app's own name for a person: opaque, compared octet by octet. It has 1...200 bytes of UTF-8 with at least one
/// visible character, and no control characters or signs of direction.
package struct UserID: Sendable, Hashable, RawRepresentable {
    package static let maximumBytes = 200
    package static let expectation = "a user id of 1 to \(maximumBytes) bytes, \(String.nameExpectation)"

    package var rawValue: String { exact.text }
    private let exact: ExactText

    package init?(rawValue: String) {
        var text = rawValue
        // Checked in place: an event for many people names thousands.
        let isValid = text.withUTF8 {
            (1...Self.maximumBytes).contains($0.count) && UnsafeRawBufferPointer($0).isName
        }
        guard isValid else { return nil }
        exact = ExactText(text)
    }

    /// The id of a known person, perhaps from a version that allowed control characters. Never with U+0000, at which
    /// versions before 0.5.0 ended a text that they stored.
    package init?(known text: String) {
        var text = text
        let isValid = text.withUTF8 { (1...Self.maximumBytes).contains($0.count) && !$0.contains(0) }
        guard isValid else { return nil }
        exact = ExactText(text)
    }

    // Written out, because `RawRepresentable` would compare the strings.
    package static func == (one: Self, other: Self) -> Bool { one.exact == other.exact }
    package func hash(into hasher: inout Hasher) { hasher.combine(exact) }
}
