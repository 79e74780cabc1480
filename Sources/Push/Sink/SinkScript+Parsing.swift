import Inbox
import JSON

/// Why a script cannot be used.
package struct SinkScriptError: Error, Hashable, CustomStringConvertible {
    /// From 1.
    package let line: Int
    package let reason: String

    package init(line: Int, reason: String) {
        self.line = line
        self.reason = reason
    }

    package var description: String { "line \(line): \(reason)" }
}

extension SinkScript {
    package init(parsing text: String) throws(SinkScriptError) {
        var rules: [Rule] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = line.drop(while: \.isWhitespace)
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            do {
                rules.append(try Rule(RuleReader(line)))
            } catch {
                throw SinkScriptError(line: index + 1, reason: error.text)
            }
        }
        self.init(rules: rules)
    }
}

extension SinkScript.Rule {
    fileprivate init(_ reader: RuleReader) throws(RuleProblem) {
        try reader.refuseUnknownMembers()
        self.init(
            request: try reader.integer("request", in: 1...Int64.max).map(Int.init),
            device: try reader.string("device"),
            times: try reader.integer("times", in: 1...Int64.max).map(Int.init),
            fault: try SinkFault(reader))
    }
}

extension SinkFault {
    fileprivate init(_ reader: RuleReader) throws(RuleProblem) {
        switch try reader.string("fault") {
        case "answer":
            guard let status = try reader.integer("status", in: 200...599) else {
                throw RuleProblem(text: "an answer needs a status")
            }
            let retryAfter = try reader.integer("retryAfter", in: 0...86_400)
            let timestamp = try reader.integer("timestamp", in: 0...Int64.max)
            self = .answer(
                Answer(
                    status: Int(status), reason: try reader.string("reason"),
                    timestamp: timestamp.map { Timestamp(milliseconds: $0) },
                    retryAfter: retryAfter.map { .seconds($0) }))
        case "noAnswer": self = .noAnswer
        case "goAway": self = .goAway
        case "reset": self = .reset
        case "delay":
            guard let milliseconds = try reader.integer("milliseconds", in: 0...86_400_000) else {
                throw RuleProblem(text: "a delay needs milliseconds")
            }
            self = .delay(.milliseconds(milliseconds))
        case let name?:
            throw RuleProblem(text: "no such fault: \(name); known are answer, noAnswer, goAway, reset, delay")
        case nil:
            throw RuleProblem(text: "fault is missing")
        }
    }
}

private struct RuleProblem: Error {
    let text: String
}

/// Reads the members of one line.
private struct RuleReader {
    private static let known: Set = [
        "request", "device", "times", "fault", "status", "reason", "timestamp", "retryAfter", "milliseconds",
    ]
    private let object: JSONObject

    init(_ line: Substring) throws(RuleProblem) {
        do {
            guard let object = try JSONValue(parsing: String(line)).object else {
                throw RuleProblem(text: "a rule is an object")
            }
            self.object = object
        } catch let problem as RuleProblem {
            throw problem
        } catch {
            throw RuleProblem(text: "\(error)")
        }
    }

    /// A misspelt condition would turn a rule for one device into a rule for all.
    func refuseUnknownMembers() throws(RuleProblem) {
        for key in object.keys where !Self.known.contains(key) {
            throw RuleProblem(text: "no such member: \(key)")
        }
    }

    func string(_ key: String) throws(RuleProblem) -> String? {
        guard let value = object[key] else { return nil }
        guard let string = value.string else { throw RuleProblem(text: "\(key) is a string, not \(value.kind)") }
        return string
    }

    func integer(_ key: String, in range: ClosedRange<Int64>) throws(RuleProblem) -> Int64? {
        guard let value = object[key] else { return nil }
        guard let integer = value.int, range.contains(integer) else {
            throw RuleProblem(text: "\(key) is a whole number in \(range.lowerBound)...\(range.upperBound)")
        }
        return integer
    }
}
