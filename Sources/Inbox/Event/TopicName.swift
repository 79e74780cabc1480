/// What a topic may be called: "room:789", "role:admin".
package enum TopicName {
    package static let maximumBytes = 200
    package static let expectation = "a topic's name of 1 to \(maximumBytes) bytes without control characters"

    package static func isValid(_ name: String) -> Bool {
        (1...maximumBytes).contains(name.utf8.count) && !name.hasControlCharacter
    }
}
