import Inbox
import JSON

/// Reads the members of one line of a script.
struct SinkRuleReader {
    struct Problem: Error {
        /// The found value and the expectation.
        let reason: String
    }

    private static let conditions = ["provider", "request", "device", "times", "every", "percent", "fault"]
    private let object: JSONObject

    init(_ line: Substring) throws(Problem) {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: String(line))
        } catch {
            throw Problem(reason: "\(error)")
        }
        guard let object = value.object else { throw Problem(reason: "a rule is an object, not \(value.kind)") }
        self.object = object
    }

    /// Refuses unknown members: a misspelt condition would turn a rule for one device into a rule for all.
    func refuseUnknownMembers(besides members: [String]) throws(Problem) {
        let known = Self.conditions + members
        for key in object.keys where !known.contains(key) {
            throw Problem(reason: "no such member here: \(key)\(Self.hint(for: key, among: known))")
        }
    }

    func missing(_ key: String, _ words: [String]) -> Problem {
        Problem(reason: "\(key) is missing; expected \(Spelling.list(words))")
    }

    func string(_ key: String) throws(Problem) -> String? {
        guard let value = object[key] else { return nil }
        guard let string = value.string else { throw Problem(reason: "\(key) is a string, not \(value.kind)") }
        return string
    }

    /// One of `words`.
    func word(_ key: String, of words: [String]) throws(Problem) -> String? {
        guard let word = try string(key) else { return nil }
        guard words.contains(word) else {
            throw Problem(reason: "no such \(key): \(word)\(Self.hint(for: word, among: words))")
        }
        return word
    }

    func integer(_ key: String, in range: ClosedRange<Int64>) throws(Problem) -> Int64? {
        guard let value = object[key] else { return nil }
        guard let integer = value.int, range.contains(integer) else {
            throw Problem(reason: "\(key) is a whole number in \(range.lowerBound)...\(range.upperBound)")
        }
        return integer
    }

    func value(_ key: String) -> JSONValue? { object[key] }

    /// An object of texts; names become lower case.
    func headers(_ key: String) throws(Problem) -> [String: String] {
        guard let value = object[key] else { return [:] }
        guard let members = value.object?.members else {
            throw Problem(reason: "\(key) is an object, not \(value.kind)")
        }
        var headers: [String: String] = [:]
        for member in members {
            let name = member.key.lowercased()
            guard !name.isEmpty, name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }),
                let text = member.value.string, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
            else { throw Problem(reason: "\(key) has names of letters, digits and -, and texts of visible characters") }
            headers[name] = text
        }
        return headers
    }

    /// A number above 0, at most 100.
    func percent(_ key: String) throws(Problem) -> Double? {
        let number: Double
        switch object[key] {
        case nil: return nil
        case .int(let value): number = Double(value)
        case .double(let value): number = value
        case .number(let value): number = value.double
        case let value?: throw Problem(reason: "\(key) is a number, not \(value.kind)")
        }
        guard number > 0, number <= 100 else { throw Problem(reason: "\(key) is more than 0 and at most 100") }
        return number
    }

    private static func hint(for word: String, among words: [String]) -> String {
        if let nearest = Spelling.nearest(to: word, among: words) { return "; did you mean \"\(nearest)\"?" }
        return "; expected \(Spelling.list(words))"
    }
}
