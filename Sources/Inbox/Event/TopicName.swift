/// The rules for topic names: "room:789", "role:admin".
package enum TopicName {
    package static let maximumBytes = 200
    package static let expectation =
        "a topic's name of 1 to \(maximumBytes) bytes, \(String.nameExpectation)"

    package static func isValid(_ name: String) -> Bool {
        (1...maximumBytes).contains(name.utf8.count) && name.isName
    }

    /// Whether an existing topic may have this name: older versions took U+0080 to U+009F.
    package static func mayBeKnown(_ name: String) -> Bool {
        (1...maximumBytes).contains(name.utf8.count) && !name.utf8.contains { $0 < 0x20 || $0 == 0x7F }
    }
}
