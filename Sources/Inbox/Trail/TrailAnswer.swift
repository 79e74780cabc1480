/// The answer to a notification's question, as the trail keeps it.
package struct TrailAnswer: Sendable, Hashable, LosslessStringConvertible {
    /// The action's id; nil if nobody answered in time and the question has no default.
    package let action: String?
    package let way: Answer.Way

    package init(_ answer: Answer) { (action, way) = (answer.action, answer.way) }

    /// As it is stored: the way, and the action behind it.
    package var description: String { way.rawValue + (action.map { " \($0)" } ?? "") }

    /// - Parameter text: a ``description``.
    package init?(_ text: String) {
        let words = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let way = Answer.Way(rawValue: words[0]) else { return nil }
        (action, self.way) = (words.dropFirst().first, way)
    }
}
