import Inbox
import JSON
import WireProtocol

/// A request's JSON object with known members only; an error becomes a problem that names the member.
///
/// Null counts as absent, except for ``seq(_:)``.
struct KnownMembers {
    private let object: JSONObject

    init(_ bytes: [UInt8], known: [String]) throws(Problem) {
        guard let object = try JSONBody.parse(bytes).object else {
            throw Problem(status: 400, code: "wrong_type", detail: "expected a JSON object")
        }
        var seen: Set<String> = []
        for key in object.keys {
            guard known.contains(key) else {
                throw .member("unknown_field", key, "unknown member; expected \(Spelling.list(known))")
            }
            // Of two equal members only the first would count, and the other would be ignored silently.
            guard seen.insert(key).inserted else { throw .member("invalid_value", key, "expected each member once") }
        }
        self.object = object
    }

    func value(_ key: String) -> JSONValue? {
        guard let value = object[key], value != .null else { return nil }
        return value
    }

    /// Reads a text by its rule.
    func text<Value>(_ key: String, _ rule: TextRule<Value>) throws(Problem) -> Value? {
        guard let value = value(key) else { return nil }
        guard let text = value.string else { throw .member("wrong_type", key, "expected \(rule.expectation)") }
        guard let read = rule.read(text) else { throw .member("invalid_value", key, "expected \(rule.expectation)") }
        return read
    }

    /// Reads an optional hint. One that is not understood is dropped with a warning.
    func hint<Value>(_ key: String, _ rule: TextRule<Value>, _ warnings: inout [String]) -> Value? {
        guard let value = value(key) else { return nil }
        if let read = value.string.flatMap(rule.read) { return read }
        warnings.append("\(key): dropped; expected \(rule.expectation)")
        return nil
    }

    func requiredText<Value>(_ key: String, _ rule: TextRule<Value>) throws(Problem) -> Value {
        guard let value = try text(key, rule) else {
            throw .member("missing_field", key, "expected \(rule.expectation)")
        }
        return value
    }

    /// Nil only if the member is absent, which means everything; a null does not.
    func seq(_ key: String) throws(Problem) -> Int64? {
        guard let value = object[key] else { return nil }
        guard let seq = value.int, seq >= 0 else {
            throw .member("wrong_type", key, "expected a seq: a whole number, not negative")
        }
        return seq
    }

    func truth(_ key: String) throws(Problem) -> Bool? {
        guard let value = value(key) else { return nil }
        guard let truth = value.bool else { throw .member("wrong_type", key, "expected true or false") }
        return truth
    }
}

extension Problem {
    /// - Parameter key: the name of a top-level member.
    static func member(_ code: String, _ key: String, _ detail: String) -> Problem {
        Problem(status: 400, code: code, detail: "\(key): \(detail)", pointer: "/" + key.jsonPointerToken)
    }
}

extension String {
    /// Escaped as a part of a JSON pointer (RFC 6901 §3).
    fileprivate var jsonPointerToken: String {
        unicodeScalars.map { $0 == "~" ? "~0" : $0 == "/" ? "~1" : String($0) }.joined()
    }
}
