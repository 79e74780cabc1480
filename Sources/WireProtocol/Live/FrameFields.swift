import JSON

/// Reads the members of a client's frame from the parser's memory, and reports mistakes; null counts as missing.
struct FrameFields {
    private let object: JSONNode
    /// The frame's id, for problems.
    private let id: String?
    /// The path to a nested object: `resume.`
    private let prefix: String

    init(_ object: JSONNode, id: String?, prefix: String = "") {
        self.object = object
        self.id = id
        self.prefix = prefix
    }

    func has(_ name: StaticString) -> Bool { value(name) != nil }

    /// Whether the member is there with the value null.
    func isNull(_ name: StaticString) -> Bool { object[name]?.isNull ?? false }

    func isNumber(_ name: StaticString) -> Bool {
        value(name)?.isNumber ?? false
    }

    func string(_ name: StaticString) throws(ClientFrameProblem) -> String {
        guard let string = try required(name).string else { throw wrongType(name, expected: "a string") }
        return string
    }

    func boolean(_ name: StaticString) throws(ClientFrameProblem) -> Bool {
        guard let boolean = try required(name).bool else { throw wrongType(name, expected: "true or false") }
        return boolean
    }

    /// A whole number, 0 or more: every number of the protocol is a count.
    func number(_ name: StaticString) throws(ClientFrameProblem) -> Int64 {
        guard let number = try required(name).int else { throw wrongType(name, expected: "a whole number") }
        guard number >= 0 else { throw problem(.invalidValue, "\(quoted(name)) must be 0 or more") }
        return number
    }

    func strings(_ name: StaticString) throws(ClientFrameProblem) -> [String] {
        guard let elements = try required(name).elements else { throw wrongType(name, expected: "an array of strings") }
        let strings = elements.compactMap(\.string)
        guard strings.count == elements.count else {
            throw problem(.wrongType, "\(quoted(name)) must be an array of strings alone")
        }
        return strings
    }

    func object(_ name: StaticString, expected: String = "an object") throws(ClientFrameProblem) -> FrameFields {
        let object = try required(name)
        guard object.isObject else { throw wrongType(name, expected: expected) }
        return FrameFields(object, id: id, prefix: "\(prefix)\(name).")
    }

    // MARK: Problems

    func problem(_ code: LiveErrorCode, _ message: String) -> ClientFrameProblem {
        ClientFrameProblem(code: code, message: message, id: id)
    }

    func wrongType(_ name: StaticString, expected: String) -> ClientFrameProblem {
        let found =
            switch value(name)?.value {
            // A number, but JSON allows larger ones than fit into 64 bits.
            case .double?, .number?: "one with a fraction or out of range"
            case let value: value?.kind ?? "missing"
            }
        return problem(.wrongType, "\(quoted(name)) must be \(expected), not \(found)")
    }

    private func value(_ name: StaticString) -> JSONNode? {
        let value = object[name]
        return value?.isNull == true ? nil : value
    }

    private func required(_ name: StaticString) throws(ClientFrameProblem) -> JSONNode {
        guard let value = value(name) else { throw problem(.missingField, "\(quoted(name)) is missing") }
        return value
    }

    private func quoted(_ name: StaticString) -> String { "\"\(prefix)\(name)\"" }
}
