import JSON

extension JSONValue {
    /// The value's form within a text; nil for values without one.
    var printed: String? {
        switch self {
        case .string(let text): text
        case .int(let number): String(number)
        case .double(let number): number.description
        case .number(let number): number.text
        case .bool(let truth): truth ? "true" : "false"
        case .null, .array, .object: nil
        }
    }

    /// Whether the value has a form within a text.
    var isScalar: Bool {
        switch self {
        case .string, .int, .double, .number, .bool: true
        case .null, .array, .object: false
        }
    }

    /// The value at a path of keys; a number is an index into an array, from 0: `queries.0.title`.
    func element(at path: [String]) -> JSONValue? { element(at: path, from: 0) }

    fileprivate func element(at path: [String], from start: Int) -> JSONValue? {
        guard start < path.count else { return self }
        switch self {
        case .object(let object): return object.element(at: path, from: start)
        case .array(let elements):
            guard let index = Int(path[start]), elements.indices.contains(index) else { return nil }
            return elements[index].element(at: path, from: start + 1)
        case .null, .bool, .int, .double, .number, .string: return nil
        }
    }
}

extension JSONObject {
    /// ``JSONValue/element(at:)`` of this object, without a copy of the object.
    func element(at path: [String]) -> JSONValue? { path.isEmpty ? .object(self) : element(at: path, from: 0) }

    /// Copies only the value at the path's end.
    fileprivate func element(at path: [String], from start: Int) -> JSONValue? {
        let members = members.span
        for index in members.indices where members[index].key == path[start] {
            // Nearly all paths end here.
            guard start + 1 < path.count else { return members[index].value }
            return members[index].value.element(at: path, from: start + 1)
        }
        return nil
    }
}
