import JSON

extension JSONValue {
    /// How the value reads within a text; nil for what has no such form.
    var printed: String? {
        switch self {
        case .string(let text): text
        case .int(let number): String(number)
        case .double(let number): number.description
        case .bool(let truth): truth ? "true" : "false"
        case .null, .array, .object: nil
        }
    }

    var isScalar: Bool { printed != nil }

    /// The value at a path of keys, in which a number is the place in an array, from 0: `queries.0.title`.
    func element(at path: [String]) -> JSONValue? { element(at: path, from: 0) }

    fileprivate func element(at path: [String], from start: Int) -> JSONValue? {
        var value = self
        for key in path[start...] {
            switch value {
            case .object(let object):
                guard let member = object[key] else { return nil }
                value = member
            case .array(let elements):
                guard let index = Int(key), elements.indices.contains(index) else { return nil }
                value = elements[index]
            case .null, .bool, .int, .double, .string: return nil
            }
        }
        return value
    }
}

extension JSONObject {
    /// As ``JSONValue/element(at:)`` of this object, which is not copied.
    func element(at path: [String]) -> JSONValue? {
        guard let first = path.first else { return .object(self) }
        return self[first]?.element(at: path, from: 1)
    }
}
