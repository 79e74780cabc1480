import Inbox

/// What a feed may be called: "posts", "query:42".
enum FeedName {
    static let maximumBytes = 200
    static let expectation = "expected 1 to \(maximumBytes) bytes without control characters or signs of direction"

    static func isValid(_ name: String) -> Bool {
        (1...maximumBytes).contains(name.utf8.count) && !name.hasControlCharacter && !name.hasSignOfDirection
    }

    /// Whether a feed may be called so already: U+0080 to U+009F were taken once.
    static func mayBeKnown(_ name: String) -> Bool {
        (1...maximumBytes).contains(name.utf8.count) && !name.utf8.contains { $0 < 0x20 || $0 == 0x7F }
    }
}
