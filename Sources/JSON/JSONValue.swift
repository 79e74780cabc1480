/// Any JSON value; a backend's `data` and a catalog's templates consist of these.
///
/// Whole numbers that fit, written as such, are `int`. Other numbers are `double` if one is exactly equal, else
/// `number` in their written form.
package enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case number(JSONNumber)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}

extension JSONValue {
    package var string: String? { if case .string(let value) = self { value } else { nil } }
    /// A whole number that fits, in any spelling: 5, 5.0 and 50e-1 are equal.
    package var int: Int64? {
        switch self {
        case .int(let value): value
        case .double(let number): JSONNumber(number)?.int
        case .number(let number): number.int
        case .null, .bool, .string, .array, .object: nil
        }
    }

    /// The nearest `Double` of any number.
    package var anyDouble: Double? {
        switch self {
        case .int(let value): Double(value)
        case .double(let number): number
        case .number(let number): number.double
        case .null, .bool, .string, .array, .object: nil
        }
    }

    /// The digits of a number that is written as a whole one, however many: the text of a numeric id.
    package var wholeText: String? {
        switch self {
        case .int(let value): String(value)
        case .number(let number): number.wholeText
        case .null, .bool, .double, .string, .array, .object: nil
        }
    }
    package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    package var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
    package var object: JSONObject? { if case .object(let value) = self { value } else { nil } }

    /// A word for an error message: "a string", "an object".
    package var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .int, .double, .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// The value at a path of keys; nil if a key is missing, or its parent is no object.
    package func at(_ path: some Sequence<String>) -> JSONValue? {
        var value = self
        for key in path {
            guard case .object(let object) = value, let next = object[key] else { return nil }
            value = next
        }
        return value
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int64) { self = .int(value) }
    package init(nilLiteral: ()) { self = .null }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(JSONObject(elements.map { JSONObject.Member(key: $0.0, value: $0.1) }))
    }
}
