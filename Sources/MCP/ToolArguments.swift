import JSON

/// What an agent got wrong in a call, in words that it can act on.
package struct ToolProblem: Error, Sendable, Equatable {
    package let message: String
}

/// The arguments of a call. Each mistake says what was expected.
struct ToolArguments {
    private let object: JSONObject

    init(_ object: JSONObject) { self.object = object }

    func refuseUnknown(_ known: String...) throws(ToolProblem) {
        for key in object.keys where !known.contains(key) {
            throw ToolProblem(message: "unknown argument \"\(key)\"; expected \(known.joined(separator: ", "))")
        }
    }

    func text(_ name: String) throws(ToolProblem) -> String? {
        guard let value = object[name], value != .null else { return nil }
        guard let text = value.string, !text.isEmpty else {
            throw ToolProblem(message: "\(name): expected a text")
        }
        return text
    }

    func neededText(_ name: String, atMost maximumBytes: Int = .max) throws(ToolProblem) -> String {
        guard let text = try text(name) else { throw ToolProblem(message: "\(name) is missing: expected a text") }
        guard text.utf8.count <= maximumBytes else {
            throw ToolProblem(message: "\(name): expected a text of at most \(maximumBytes) bytes")
        }
        return text
    }

    /// One text, too, as models often send that.
    func texts(_ name: String, atMost maximum: Int) throws(ToolProblem) -> [String] {
        if let text = object[name]?.string, !text.isEmpty { return [text] }
        let texts = object[name]?.array?.compactMap { $0.string.flatMap { $0.isEmpty ? nil : $0 } }
        guard let texts, texts.count == object[name]?.array?.count, (1...maximum).contains(texts.count) else {
            throw ToolProblem(message: "\(name): expected an array of 1 to \(maximum) texts")
        }
        return texts
    }

    func number(_ name: String, in range: ClosedRange<Int64>) throws(ToolProblem) -> Int64? {
        guard let value = object[name], value != .null else { return nil }
        guard let number = value.int, range.contains(number) else {
            throw ToolProblem(
                message: "\(name): expected a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
