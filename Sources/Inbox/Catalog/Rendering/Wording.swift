/// What a type says in one language.
struct Wording: Sendable, Hashable {
    let text: TextRule
    let times: [TimeRule]
    let words: [WordRule]
    let batch: BatchRule?
    let layout: BodyLayout
    let groupText: CountedRule?
    let push: PushTemplate?

    var requirements: [Requirement] {
        text.requirements + layout.requirements + (groupText?.requirements ?? []) + (push?.requirements ?? [])
    }
}
