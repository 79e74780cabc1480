/// A type's texts in one language.
struct Wording: Sendable, Hashable {
    let text: TextRule
    let times: [TimeRule]
    let words: [WordRule]
    /// In their order: a part may show earlier parts.
    let parts: [PartRule]
    let batch: BatchRule?
    let layout: BodyLayout
    let groupText: CountedRule?
    let push: PushTemplate?
    /// Nil if the catalog has no words for questions.
    let question: QuestionRule?
    /// Nil if the type tells no Live Activity.
    let activity: ActivityTemplate?

    var hasNothingDerived: Bool { times.isEmpty && words.isEmpty && parts.isEmpty }

    var requirements: [Requirement] {
        text.requirements + parts.flatMap(\.text.requirements) + layout.requirements
            + (groupText?.requirements ?? []) + (push?.requirements ?? []) + (activity?.requirements ?? [])
    }
}
