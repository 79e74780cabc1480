import JSON

/// One object of a published event, read member by member; each mistake is told with its place.
struct EventMembers {
    let object: JSONObject
    private let parent: JSONPointer
    /// Its place in its parent; nil for the event itself.
    private let key: String?
    /// Put together only where it is told: nearly all events are right.
    private var pointer: JSONPointer { key.map(parent.appending) ?? parent }

    /// - Parameters:
    ///   - key: its place within `parent`; nil if it stands there itself.
    ///   - known: the members that may occur; nil if that is the app's business.
    init(
        _ value: JSONValue, in parent: JSONPointer, _ key: String? = nil, known: [String]?
    ) throws(EventProblem) {
        self.parent = parent
        self.key = key
        guard let object = value.object else {
            throw .wrongType(key.map(parent.appending) ?? parent, expected: "an object", found: value.kind)
        }
        self.object = object
        if let known, let stranger = object.members.first(where: { !known.contains($0.key) }) {
            throw .unknownField(stranger.key, in: pointer, known: known)
        }
        // Of equal members only the first would count, and the other would be lost in silence.
        if let key = object.repeatedKey { throw .invalidValue(place(key), expected: "each member once") }
    }

    func place(_ key: String) -> JSONPointer { pointer.appending(key) }

    /// Null counts as absent.
    private func value(_ key: String) -> JSONValue? {
        guard let value = object[key], value != .null else { return nil }
        return value
    }

    func nested(_ key: String, known: [String]?) throws(EventProblem) -> EventMembers? {
        guard let value = value(key) else { return nil }
        return try EventMembers(value, in: pointer, key, known: known)
    }

    func object(_ key: String) throws(EventProblem) -> JSONObject? { try nested(key, known: nil)?.object }

    /// A string of 1 to `maximumBytes` bytes of UTF-8.
    func text(_ key: String, maximumBytes: Int) throws(EventProblem) -> String? {
        guard let text = try string(key) else { return nil }
        guard (1...maximumBytes).contains(text.utf8.count) else {
            throw .invalidValue(place(key), expected: "a string of 1 to \(maximumBytes) bytes")
        }
        // The store's texts would end there.
        guard !text.utf8.contains(0) else { throw .invalidValue(place(key), expected: "a string without U+0000") }
        return text
    }

    func timestamp(_ key: String) throws(EventProblem) -> Timestamp? {
        guard let text = try string(key) else { return nil }
        guard let timestamp = Timestamp(iso8601: text) else {
            throw .invalidValue(place(key), expected: "a date and time like 2025-07-04T15:02:44.161Z")
        }
        return timestamp
    }

    func choice<Choice>(_ key: String) throws(EventProblem) -> Choice?
    where Choice: RawRepresentable<String> & CaseIterable {
        guard let text = try string(key) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            throw .invalidValue(place(key), expected: Spelling.list(Choice.allCases.map(\.rawValue)))
        }
        return choice
    }

    /// - Parameter things: what it is an array of, in the words of a message.
    func array(_ key: String, of things: String) throws(EventProblem) -> [JSONValue]? {
        guard let value = value(key) else { return nil }
        guard let elements = value.array else {
            throw .wrongType(place(key), expected: "an array of \(things)", found: value.kind)
        }
        return elements
    }

    func string(_ key: String) throws(EventProblem) -> String? {
        guard let value = value(key) else { return nil }
        guard let text = value.string else {
            throw .wrongType(place(key), expected: "a string", found: value.kind)
        }
        return text
    }
}
