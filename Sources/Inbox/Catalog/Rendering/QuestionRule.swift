/// What the events of a type may ask, in one language.
struct QuestionRule: Sendable, Hashable {
    /// What an event asks that has no question of its own.
    struct Usual: Sendable, Hashable {
        /// How long after an event was accepted an answer counts; nil for as long as the notification is there.
        let answerBy: Duration?
        /// The action that counts from then on; nil for none.
        let fallback: String?
    }

    /// With the words on their buttons, in the catalog's order.
    let actions: [Question.Action]
    /// Nil if an event asks only by a question of its own.
    let usual: Usual?

    func label(of action: String) -> String? { actions.first { ExactText($0.id) == ExactText(action) }?.label }

    /// The question of an event without one; nil if such an event asks nothing. Each reader's language has the labels.
    func question(at now: Timestamp) -> Question? {
        usual.map { usual in
            Question(
                actions: actions.map { .init(id: $0.id) }, answerBy: usual.answerBy.map { now + $0 },
                fallback: usual.fallback)
        }
    }

    /// Whether events without a question ask the same by both, but for the words.
    static func askAlike(_ one: Self?, _ other: Self?) -> Bool {
        guard let one, let other, one.usual != nil else { return one?.usual == nil && other?.usual == nil }
        return one.usual == other.usual && one.actions.map(\.id) == other.actions.map(\.id)
    }
}

extension Question {
    /// The question with words for all buttons. One that the type has lost since stays with its id.
    func labelled(by rule: QuestionRule?) -> Question {
        guard actions.contains(where: { $0.label == nil }) else { return self }
        let labelled = actions.map { Action(id: $0.id, label: $0.label ?? rule?.label(of: $0.id) ?? $0.id) }
        return Question(actions: labelled, answerBy: answerBy, fallback: fallback)
    }
}
