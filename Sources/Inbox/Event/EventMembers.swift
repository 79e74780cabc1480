import JSON

/// One object of a published event, read member by member from the parser's memory; each mistake has its place.
struct EventMembers {
    /// A place in an object or an array.
    enum Step {
        case member(StaticString)
        case element(Int)
    }

    /// The object with all members.
    let object: JSONNode
    private let parent: JSONPointer
    /// From `parent` to this object; nil if `parent` is the object's own place.
    private let step: Step?
    /// Whether the object was checked when it came, perhaps before control characters were refused.
    private let isStored: Bool
    /// The app of the people and topics that the event names.
    let app: AppName
    /// Computed only for messages: nearly all events are right.
    var pointer: JSONPointer {
        switch step {
        case .member(let key): parent.appending("\(key)")
        case .element(let index): parent.appending(String(index))
        case nil: parent
        }
    }

    /// - Parameters:
    ///   - step: the object's place within `parent`; nil if `parent` is the object's own place.
    ///   - known: the members that may occur; nil if the app chooses them.
    ///   - mayRepeat: whether members of the same name all count.
    ///   - isStored: whether the object was checked when it came, perhaps before control characters were refused. People
    ///     have their keys in it.
    init(
        _ value: JSONNode, in parent: JSONPointer, _ step: Step? = nil, known: [StaticString]?, mayRepeat: Bool = false,
        isStored: Bool = false, in app: AppName = .unnamed
    ) throws(EventProblem) {
        self.parent = parent
        self.step = step
        self.isStored = isStored
        self.app = app
        object = value
        guard value.isObject else {
            throw .wrongType(pointer, expected: "an object", found: value.kindInWords)
        }
        var repeated: String?
        if let known {
            if let unknown = value.firstUnknownKey(known: known, repeated: &repeated) {
                throw .unknownField(unknown, in: pointer, known: known.map { "\($0)" })
            }
        } else if !mayRepeat {
            repeated = value.repeatedKey
        }
        // Only the first of equal members would count, and the other would be lost in silence.
        if !mayRepeat, let repeated { throw .invalidValue(place(repeated), expected: "each member once") }
    }

    func place(_ key: String) -> JSONPointer { pointer.appending(key) }

    private func place(_ key: StaticString) -> JSONPointer { place("\(key)" as String) }

    /// Nil for an absent member and for null.
    private func value(_ key: StaticString) -> JSONNode? {
        guard let value = object[key], !value.isNull else { return nil }
        return value
    }

    func nested(_ key: StaticString, known: [StaticString]?) throws(EventProblem) -> EventMembers? {
        guard let value = value(key) else { return nil }
        return try inner(value, in: pointer, .member(key), known: known)
    }

    /// An object somewhere inside this one.
    func inner(
        _ value: JSONNode, in parent: JSONPointer, _ step: Step? = nil, known: [StaticString]?
    ) throws(EventProblem) -> EventMembers {
        try EventMembers(value, in: parent, step, known: known, isStored: isStored, in: app)
    }

    /// A copy of a member object that belongs to the app.
    func object(_ key: StaticString) throws(EventProblem) -> JSONObject? {
        try nested(key, known: nil)?.copy()
    }

    /// A copy of this object, which belongs to the app; a repeated member is an error at any depth, and so are more than
    /// ``Event/maximumDataBytes``.
    func copy() throws(EventProblem) -> JSONObject {
        if !isStored {
            if let path = object.innerRepeatedPath {
                throw .invalidValue(pointer.appending(path), expected: "each member once")
            }
            guard object.byteCount <= Event.maximumDataBytes else {
                throw .invalidValue(pointer, expected: "at most \(Event.maximumDataBytes) bytes of JSON")
            }
        }
        return JSONObject(copying: object)
    }

    /// The user of this name; nil for an invalid name.
    func user(_ text: String) -> UserID? { isStored ? UserID(key: text) : UserID(text, in: app) }

    /// A string of 1 to `maximumBytes` bytes of UTF-8; without control characters, unless the object is stored.
    func text(_ key: StaticString, maximumBytes: Int) throws(EventProblem) -> String? {
        try checkedText(key, maximumBytes: maximumBytes)?.string
    }

    /// Whether ``text(_:maximumBytes:)`` would return a text.
    func hasText(_ key: StaticString, maximumBytes: Int) throws(EventProblem) -> Bool {
        try checkedText(key, maximumBytes: maximumBytes) != nil
    }

    private func checkedText(_ key: StaticString, maximumBytes: Int) throws(EventProblem) -> JSONNode? {
        guard let value = value(key) else { return nil }
        guard let octets = value.utf8 else { throw wrongType(key, value) }
        guard (1...maximumBytes).contains(octets.count) else {
            throw .invalidValue(place(key), expected: "a string of 1 to \(maximumBytes) bytes")
        }
        guard isStored || !octets.hasControlCharacter else {
            throw .invalidValue(place(key), expected: "a string without control characters")
        }
        guard isStored || octets.isName else {
            throw .invalidValue(
                place(key), expected: "a string with at least one visible character and no direction characters")
        }
        return value
    }

    func timestamp(_ key: StaticString) throws(EventProblem) -> Timestamp? {
        guard let text = try string(key) else { return nil }
        guard let timestamp = Timestamp(iso8601: text) else {
            throw .invalidValue(place(key), expected: "a date and time like 2025-07-04T15:02:44.161Z")
        }
        return timestamp
    }

    func choice<Choice>(_ key: StaticString) throws(EventProblem) -> Choice?
    where Choice: RawRepresentable<String> & CaseIterable {
        guard let text = try string(key) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            throw .invalidValue(place(key), expected: Spelling.list(Choice.allCases.map(\.rawValue)))
        }
        return choice
    }

    /// - Parameter things: the array's elements, in a message's words.
    func array(_ key: StaticString, of things: String) throws(EventProblem) -> JSONNode? {
        guard let value = value(key) else { return nil }
        guard value.isArray else {
            throw .wrongType(place(key), expected: "an array of \(things)", found: value.kindInWords)
        }
        return value
    }

    func string(_ key: StaticString) throws(EventProblem) -> String? {
        guard let value = value(key) else { return nil }
        guard let text = value.string else { throw wrongType(key, value) }
        return text
    }

    private func wrongType(_ key: StaticString, _ value: JSONNode) -> EventProblem {
        .wrongType(place(key), expected: "a string", found: value.kindInWords)
    }
}
