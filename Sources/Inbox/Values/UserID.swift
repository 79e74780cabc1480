/// The app's own name for a person; opaque, case-sensitive, 1...200 bytes of UTF-8.
package struct UserID: Sendable, Hashable, RawRepresentable {
    package static let maximumBytes = 200

    package let rawValue: String

    package init?(rawValue: String) {
        guard (1...Self.maximumBytes).contains(rawValue.utf8.count) else { return nil }
        self.rawValue = rawValue
    }
}
