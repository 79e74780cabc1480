/// What stands between a template's braces, resolved when the catalog is loaded.
enum Placeholder: Sendable, Hashable {
    /// `{{actor}}`: the actor's name by the template's ``ActorNameRule``.
    case actorName
    /// `{{actor.firstName}}`
    case actor([String])
    /// `{{room.name}}`: a path below the event's `data`.
    case data([String])
    /// `{{preview}}`: the text that the type's `preview` cuts.
    case preview
    /// `{{date}}`: what the type makes of the event's values, by one of its `previews`, `times`, `words` or `parts`.
    case derived(String)
    /// The batch's list in words, under the list's own name: `{{elements}}` is "20 photos and 3 videos".
    case phrase
    /// `{{count}}`: how many elements the batch holds.
    case count
    /// `{{kind}}`: the kind of element that came first.
    case kind
    /// `{{count}}` in a push's summary: how many notifications the push stands for, which is open until it is sent.
    case folded
    /// `{{people}}` in a push's summary: how many people's doing those tell of; likewise.
    case people

    /// Whether the value stands in the event, and is not derived from it.
    var isInEvent: Bool {
        switch self {
        case .actorName, .actor, .data: true
        case .preview, .derived, .phrase, .count, .kind, .folded, .people: false
        }
    }

    /// Where in an event the value comes from; nil for what is derived.
    var pointer: JSONPointer? {
        switch self {
        case .actorName: JSONPointer().appending("actor")
        case .actor(let path): JSONPointer().appending("actor").appending(path)
        case .data(let path): JSONPointer().appending("data").appending(path)
        case .preview, .derived, .phrase, .count, .kind, .folded, .people: nil
        }
    }
}
