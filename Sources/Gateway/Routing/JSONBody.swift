import Inbox
import JSON
import WireProtocol

/// A request's JSON object, read member by member; an error becomes a problem that names the member.
struct JSONBody {
    private let object: JSONObject

    init(_ bytes: [UInt8]) throws(Problem) {
        guard let object = try Self.parse(bytes).object else {
            throw Problem(status: 400, code: "wrong_type", detail: "expected a JSON object")
        }
        self.object = object
    }

    static func parse(_ bytes: [UInt8]) throws(Problem) -> JSONValue { try node(bytes).value }

    /// Parses a document that is stored as it is. Each member must stand in it once, as readers differ about which of
    /// two counts.
    static func unambiguous(_ bytes: [UInt8]) throws(Problem) -> JSONValue {
        let node = try node(bytes)
        if let path = node.repeatedPath {
            throw Problem(
                status: 400, code: "invalid_value", detail: "expected each member once",
                pointer: JSONPointer().appending(path).text)
        }
        return node.value
    }

    /// The document in the parser's memory; valid until this thread parses again.
    ///
    /// - Parameter line: the number of its first line, in a larger body.
    static func node(_ bytes: [UInt8], startingAt line: Int = 1) throws(Problem) -> JSONNode {
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(JSONSyntaxError) in try JSONNode(parsing: bytes) }
        }
        do throws(JSONSyntaxError) {
            return try result.get()
        } catch {
            throw Problem(
                status: 400, code: "invalid_json", detail: error.description(startingAt: line),
                pointer: pointer(to: error))
        }
    }

    /// The place of a value that is not JSON; nil if the whole text is not, or is cut off.
    private static func pointer(to error: JSONSyntaxError) -> String? {
        guard let place = error.place, !place.isEnd, !place.pointer.isEmpty else { return nil }
        return place.pointer
    }

    func has(_ key: String) -> Bool { object[key] != nil }

    func text(_ key: String) throws(Problem) -> String {
        guard let value = object[key] else { throw Self.missing(key, "a string") }
        guard let text = value.string, !text.isEmpty else { throw Self.wrong(key, "a string that is not empty") }
        return text
    }

    func optionalText(_ key: String) throws(Problem) -> String? {
        guard let value = object[key], value != .null else { return nil }
        return try text(key)
    }

    func texts(_ key: String, maximum: Int) throws(Problem) -> [String] {
        guard let value = object[key] else { throw Self.missing(key, "an array of strings") }
        guard let elements = value.array, elements.count <= maximum else {
            throw Self.wrong(key, "an array of at most \(maximum) strings")
        }
        let texts = elements.compactMap(\.string)
        guard texts.count == elements.count else { throw Self.wrong(key, "an array of strings") }
        return texts
    }

    private static func missing(_ key: String, _ expected: String) -> Problem {
        Problem(
            status: 400, code: "missing_field", detail: "\(key) is missing: expected \(expected)", pointer: "/\(key)")
    }

    private static func wrong(_ key: String, _ expected: String) -> Problem {
        Problem(status: 400, code: "wrong_type", detail: "\(key): expected \(expected)", pointer: "/\(key)")
    }
}
