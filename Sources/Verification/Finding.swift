/// What one check has found: rows that break an invariant, or damage of a file.
package struct Finding: Sendable, Hashable {
    /// How many rows are named.
    package static let mostExamples = 5

    /// The check's name, such as `unread counts`.
    package let check: String
    /// What is wrong with the rows, in one sentence without an end.
    package let meaning: String
    package private(set) var count: Int64 = 0
    /// The names of the first rows, by their tables' keys. Never texts, tokens or names of people.
    package private(set) var examples: [String] = []
    /// Statements that mend all of them; empty if nothing can.
    package var mends: [String]

    package init(check: String, meaning: String, mends: [String] = []) {
        (self.check, self.meaning, self.mends) = (check, meaning, mends)
    }

    package var canBeMended: Bool { !mends.isEmpty }

    package mutating func add(_ row: String) {
        count += 1
        if examples.count < Self.mostExamples { examples.append(row) }
    }
}
