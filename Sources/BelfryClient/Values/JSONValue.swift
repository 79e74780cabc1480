public import Foundation

/// Any JSON value: members that a catalog adds to notifications, items of feeds, answers about preferences.
///
/// Whole numbers of 64 bits are kept exactly; all others are floating-point numbers. A value: it may go to any actor.
public enum JSONValue: Sendable, Hashable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A whole number of 64 bits.
    case integer(Int64)
    /// Any other number, rounded to 53 bits.
    case number(Double)
    /// A text.
    case string(String)
    /// A list.
    case array([JSONValue])
    /// Members by name; their order is not kept.
    case object([String: JSONValue])

    /// Reads JSON text. Runs on the caller's actor.
    ///
    /// - Throws: a `DecodingError` for text that is no JSON.
    public init(parsing data: Data) throws {
        self = try JSONDecoder().decode(JSONValue.self, from: data)
    }

    /// The text, or nil for other values.
    public var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The whole number in any spelling, such as `5` and `5.0`, or nil for other values.
    public var integer: Int64? {
        switch self {
        case .integer(let number): number
        case .number(let number): Int64(exactly: number)
        case .null, .bool, .string, .array, .object: nil
        }
    }

    /// The number, or nil for other values.
    public var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        case .null, .bool, .string, .array, .object: nil
        }
    }

    /// True or false, or nil for other values.
    public var bool: Bool? {
        if case .bool(let isTrue) = self { isTrue } else { nil }
    }

    /// The elements of a list, or nil for other values.
    public var array: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The members of an object, or nil for other values.
    public var object: [String: JSONValue]? {
        if case .object(let members) = self { members } else { nil }
    }

    /// The member of an object with this name, or nil.
    public subscript(_ name: String) -> JSONValue? { object?[name] }

    /// The JSON text, with members in the order of their names.
    package var text: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Only an infinite number or a NaN cannot be written, and JSON text never has one.
        let data = (try? encoder.encode(self)) ?? Data("null".utf8)
        return String(decoding: data, as: UTF8.self)
    }
}

extension JSONValue: Codable {
    /// - Throws: a `DecodingError` for a value that is no JSON.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self = .string(text)
        } else if container.decodeNil() {
            self = .null
        } else if let isTrue = try? container.decode(Bool.self) {
            self = .bool(isTrue)
        } else if let number = try? container.decode(Int64.self) {
            self = .integer(number)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let members = try? container.decode([String: JSONValue].self) {
            self = .object(members)
        } else {
            self = .array(try container.decode([JSONValue].self))
        }
    }

    /// - Throws: an `EncodingError` for an infinite number or a NaN.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let isTrue): try container.encode(isTrue)
        case .integer(let number): try container.encode(number)
        case .number(let number): try container.encode(number)
        case .string(let text): try container.encode(text)
        case .array(let elements): try container.encode(elements)
        case .object(let members): try container.encode(members)
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A text.
    public init(stringLiteral text: String) { self = .string(text) }
    /// A whole number.
    public init(integerLiteral number: Int64) { self = .integer(number) }
    /// A number.
    public init(floatLiteral number: Double) { self = .number(number) }
    /// `true` or `false`.
    public init(booleanLiteral isTrue: Bool) { self = .bool(isTrue) }
    /// `null`.
    public init(nilLiteral: ()) { self = .null }
    /// A list.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// An object; of members with the same name the last one counts.
    public init(dictionaryLiteral members: (String, JSONValue)...) {
        self = .object(Dictionary(members) { _, last in last })
    }
}
