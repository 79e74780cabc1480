/// What a feed may be called: "posts", "query:42".
package enum FeedName {
    package static let maximumBytes = 200
    package static let expectation =
        "a feed's name of 1 to \(maximumBytes) bytes, \(String.nameExpectation)"

    package static func isValid(_ name: String) -> Bool {
        (1...maximumBytes).contains(name.utf8.count) && name.isName
    }

    /// Whether a feed may be called so already: U+0080 to U+009F, and signs of direction, were taken once.
    package static func mayBeKnown(_ name: String) -> Bool {
        (1...maximumBytes).contains(name.utf8.count) && !name.utf8.contains { $0 < 0x20 || $0 == 0x7F }
            && !name.allSatisfy(\.isWhitespace)
    }
}
