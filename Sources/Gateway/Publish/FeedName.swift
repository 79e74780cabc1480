import Inbox

/// What a feed may be called: "posts", "query:42".
enum FeedName {
    static let maximumBytes = 200
    static let expectation = "expected 1 to \(maximumBytes) bytes without control characters"

    static func isValid(_ name: String) -> Bool {
        (1...maximumBytes).contains(name.utf8.count) && !name.hasControlCharacter
    }
}
