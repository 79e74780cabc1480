import Foundation
import Testing

@testable import BelfryClient

/// A file of `clients/scenarios`: what every client must pass. Its README has the meaning of each member.
struct Scenario: CustomTestStringConvertible, Sendable {
    let name: String
    let value: JSONValue

    var testDescription: String { name }

    static let all: [Scenario] = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../clients/scenarios")
        let entries = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects ?? []
        let files = entries.compactMap { $0 as? URL }.filter { $0.pathExtension == "json" }
        return files.sorted { $0.path < $1.path }.map { file in
            // A file that cannot be read fails as a scenario without steps.
            let value = (try? JSONValue(parsing: Data(contentsOf: file))) ?? .null
            return Scenario(name: file.deletingPathExtension().lastPathComponent, value: value)
        }
    }()

    /// Replaces stand-ins by notifications and, in the `round`th round of a loop, by numbers.
    static func expand(_ value: JSONValue, round: Int64) -> JSONValue {
        switch value {
        case .null, .bool, .integer, .number, .string: return value
        case .array(let elements): return .array(elements.map { expand($0, round: round) })
        case .object(let members):
            if let series = members["$i"], let start = series["start"]?.integer, let step = series["step"]?.integer {
                return .integer(start + step * round)
            }
            let expanded = members.mapValues { expand($0, round: round) }
            if let rows = expanded["$rows"]?.object, let newest = rows["newest"]?.integer,
                let count = rows["count"]?.integer
            {
                return .array((0..<count).map { row(newest - $0, rows) })
            }
            if let row = expanded["$row"]?.object, let number = row["number"]?.integer { return self.row(number, row) }
            return .object(expanded)
        }
    }

    private static func row(_ number: Int64, _ members: [String: JSONValue]) -> JSONValue {
        let usual: [String: JSONValue] = [
            "id": .string("n1-\(number)"), "type": "ROOM_LIKE", "displayText": .string("notification \(number)"),
            "isRead": false, "isSeen": false, "rev": 1, "seq": .integer(number),
        ]
        let others = members.filter { !["number", "newest", "count"].contains($0.key) }
        return .object(usual.merging(others) { _, other in other })
    }
}

/// A difference from a pattern, as the scenarios' README has them.
struct Mismatch: Error, CustomStringConvertible {
    let description: String

    /// - Throws: the first difference.
    static func check(_ value: JSONValue?, against pattern: JSONValue, at path: String) throws {
        func fail(_ what: String) -> Mismatch {
            Mismatch(description: "\(path) \(what): \(String((value?.text ?? "nothing").prefix(400)))")
        }
        switch pattern {
        case .null, .bool, .string:
            guard value ?? .null == pattern else { throw fail("is not \(pattern.text)") }
        case .integer, .number:
            guard let number = value?.number, number == pattern.number else { throw fail("is not \(pattern.text)") }
        case .array(let patterns):
            guard let elements = value?.array else { throw fail("is no list") }
            guard elements.count == patterns.count else { throw fail("has \(elements.count) elements") }
            for (index, pattern) in patterns.enumerated() {
                try check(elements[index], against: pattern, at: "\(path)[\(index)]")
            }
        case .object(let members):
            if let length = members["$length"]?.integer {
                guard let count = value?.array?.count, count == length else { throw fail("has not \(length) elements") }
            } else if members["$any"] != nil {
                guard let value, value != .null else { throw fail("is missing") }
            } else if let range = members["$between"]?.array?.compactMap(\.number), range.count == 2 {
                guard let number = value?.number, (range[0]...range[1]).contains(number) else {
                    throw fail("is not from \(range[0]) to \(range[1])")
                }
            } else {
                guard value?.object != nil else { throw fail("is no object") }
                for (name, pattern) in members {
                    if pattern["$absent"] != nil {
                        guard value?[name] ?? .null == .null else { throw fail("has \(name)") }
                    } else {
                        try check(value?[name], against: pattern, at: "\(path).\(name)")
                    }
                }
            }
        }
    }
}
