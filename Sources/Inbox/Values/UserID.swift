/// A person of an app, by the app's own name for them: opaque, compared octet by octet. A name has 1...200 bytes of
/// UTF-8 with at least one visible character, and no control characters or signs of direction.
package struct UserID: Sendable, Hashable {
    package static let maximumBytes = 200
    package static let expectation = "a user id of 1 to \(maximumBytes) bytes, \(String.nameExpectation)"

    /// The person's text in the store: see ``AppName/key(_:)``.
    package var key: String { exact.text }
    /// The person's name in their app, as everybody outside knows it.
    package var name: String { AppName.name(ofKey: key) }
    package var app: AppName { AppName(ofKey: key) }
    private let exact: ExactText

    package init?(_ name: String, in app: AppName = .unnamed) {
        var name = name
        // Checked in place: an event for many people names thousands.
        let isValid = name.withUTF8 {
            (1...Self.maximumBytes).contains($0.count) && UnsafeRawBufferPointer($0).isName
        }
        guard isValid else { return nil }
        exact = ExactText(app.key(name))
    }

    /// A known person, perhaps from a version that allowed control characters. Never with U+0000, at which versions
    /// before 0.5.0 ended a text that they stored.
    package init?(known name: String, in app: AppName = .unnamed) {
        guard Self.isKnown(name, maximumBytes: Self.maximumBytes) else { return nil }
        exact = ExactText(app.key(name))
    }

    /// A person as the store has them.
    package init?(key: String) {
        guard Self.isKnown(key, maximumBytes: Self.maximumBytes + AppName.maximumBytes + 2) else { return nil }
        exact = ExactText(key)
    }

    private static func isKnown(_ text: String, maximumBytes: Int) -> Bool {
        var text = text
        return text.withUTF8 { (1...maximumBytes).contains($0.count) && !$0.contains(0) }
    }
}
