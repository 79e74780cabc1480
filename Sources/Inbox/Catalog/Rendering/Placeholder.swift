/// The content of a template's braces, resolved when the catalog is loaded.
enum Placeholder: Sendable, Hashable {
    /// `{{actor}}`: the actor's name by the template's ``ActorNameRule``.
    case actorName
    /// `{{actor.firstName}}`
    case actor([String])
    /// `{{room.name}}`: a path below the event's `data`.
    case data([String])
    /// `{{preview}}`: the text that the type's `preview` cuts.
    case preview
    /// `{{date}}`: a value that the type derives by one of its `previews`, `times`, `words` or `parts`.
    case derived(String)
    /// The batch's list in words, under the list's own name: `{{elements}}` is "20 photos and 3 videos".
    case phrase
    /// `{{count}}`: how many elements the batch holds.
    case count
    /// `{{kind}}`: the kind of the element that came first.
    case kind
    /// `{{count}}` in a push's summary: the number of notifications the push stands for. Open until the push is sent.
    case folded
    /// `{{people}}` in a push's summary: the number of people who caused those notifications. Open until it is sent.
    case people

    /// Whether the value is taken from the event as it is.
    var isInEvent: Bool {
        switch self {
        case .actorName, .actor, .data: true
        case .preview, .derived, .phrase, .count, .kind, .folded, .people: false
        }
    }

    /// The value's place in an event; nil for derived values.
    var pointer: JSONPointer? {
        switch self {
        case .actorName: JSONPointer().appending("actor")
        case .actor(let path): JSONPointer().appending("actor").appending(path)
        case .data(let path): JSONPointer().appending("data").appending(path)
        case .preview, .derived, .phrase, .count, .kind, .folded, .people: nil
        }
    }
}
