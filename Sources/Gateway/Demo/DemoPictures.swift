import JSON

/// Replaces the pictures in samples, which do not exist, by the demo's own: its pages load nothing from elsewhere.
enum DemoPictures {
    private static let count = 3
    private static let endings = [".jpg", ".jpeg", ".png"]

    /// The same value with each picture's address replaced.
    static func replaced(in value: JSONValue) -> JSONValue {
        var number = 0
        return replaced(in: value, &number)
    }

    private static func replaced(in value: JSONValue, _ number: inout Int) -> JSONValue {
        switch value {
        case .string(let text) where text.hasPrefix("https://") && endings.contains(where: text.hasSuffix):
            number += 1
            return .string("/demo/picture-\((number - 1) % count + 1).svg")
        case .array(let elements): return .array(elements.map { replaced(in: $0, &number) })
        case .object(let object):
            return .object(
                JSONObject(object.members.map { .init(key: $0.key, value: replaced(in: $0.value, &number)) }))
        case .null, .bool, .int, .double, .number, .string: return value
        }
    }
}
