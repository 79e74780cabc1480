import JSON

/// One object of a published event, read member by member where the parser put it; each mistake is told with its place.
struct EventMembers {
    /// A place in an object or an array.
    enum Step {
        case member(StaticString)
        case element(Int)
    }

    /// All of them.
    let object: JSONNode
    private let parent: JSONPointer
    /// From there to this; nil if it stands there itself.
    private let step: Step?
    /// Whether it was judged when it came, perhaps before control characters were refused.
    private let isStored: Bool
    /// Put together only where it is told: nearly all events are right.
    var pointer: JSONPointer {
        switch step {
        case .member(let key): parent.appending("\(key)")
        case .element(let index): parent.appending(String(index))
        case nil: parent
        }
    }

    /// - Parameters:
    ///   - step: its place within `parent`; nil if it stands there itself.
    ///   - known: the members that may occur; nil if that is the app's business.
    ///   - mayRepeat: whether members of one name all count.
    ///   - isStored: whether it was judged when it came, perhaps before control characters were refused.
    init(
        _ value: JSONNode, in parent: JSONPointer, _ step: Step? = nil, known: [StaticString]?, mayRepeat: Bool = false,
        isStored: Bool = false
    ) throws(EventProblem) {
        self.parent = parent
        self.step = step
        self.isStored = isStored
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
        // Of equal members only the first would count, and the other would be lost in silence.
        if !mayRepeat, let repeated { throw .invalidValue(place(repeated), expected: "each member once") }
    }

    func place(_ key: String) -> JSONPointer { pointer.appending(key) }

    private func place(_ key: StaticString) -> JSONPointer { place("\(key)" as String) }

    /// Null counts as absent.
    private func value(_ key: StaticString) -> JSONNode? {
        guard let value = object[key], !value.isNull else { return nil }
        return value
    }

    func nested(_ key: StaticString, known: [StaticString]?) throws(EventProblem) -> EventMembers? {
        guard let value = value(key) else { return nil }
        return try inner(value, in: pointer, .member(key), known: known)
    }

    /// An object that stands somewhere in this one.
    func inner(
        _ value: JSONNode, in parent: JSONPointer, _ step: Step? = nil, known: [StaticString]?
    ) throws(EventProblem) -> EventMembers {
        try EventMembers(value, in: parent, step, known: known, isStored: isStored)
    }

    /// A copy of an object whose members are the app's own.
    func object(_ key: StaticString) throws(EventProblem) -> JSONObject? {
        try nested(key, known: nil)?.copy()
    }

    /// A copy of this object, whose members are the app's own: each once, at whatever depth.
    func copy() throws(EventProblem) -> JSONObject {
        if !isStored, let path = object.innerRepeatedPath {
            throw .invalidValue(pointer.appending(path), expected: "each member once")
        }
        return JSONObject(copying: object)
    }

    /// Who is called that; nil if nobody can be.
    func user(_ text: String) -> UserID? { isStored ? UserID(known: text) : UserID(rawValue: text) }

    /// A string of 1 to `maximumBytes` bytes of UTF-8 without control characters; with them where it is stored.
    func text(_ key: StaticString, maximumBytes: Int) throws(EventProblem) -> String? {
        try checkedText(key, maximumBytes: maximumBytes)?.string
    }

    /// Whether there is such a text as ``text(_:maximumBytes:)`` returns.
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

    /// - Parameter things: what it is an array of, in the words of a message.
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
