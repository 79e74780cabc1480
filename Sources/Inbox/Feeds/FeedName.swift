/// The rules for feed names: "posts", "query:42".
package enum FeedName {
    package static let maximumBytes = 200
    package static let expectation =
        "a feed's name of 1 to \(maximumBytes) bytes, \(String.nameExpectation)"

    package static func isValid(_ name: String) -> Bool {
        (1...maximumBytes).contains(name.utf8.count) && name.isName
    }

    /// Whether an existing feed may have this name: older versions took U+0080 to U+009F and signs of direction.
    package static func mayBeKnown(_ name: String) -> Bool {
        (1...maximumBytes).contains(name.utf8.count) && !name.utf8.contains { $0 < 0x20 || $0 == 0x7F }
            && !name.allSatisfy(\.isWhitespace)
    }
}
