import JSON

/// The values of one event while it is rendered: placeholders are looked up here.
struct Rendering {
    /// The values that a batch gives to texts.
    struct BatchWords {
        let phrase: String
        let count: Int64
        let kind: String?
    }

    /// The keys of the data that one recipient alone has, and its place in the event.
    struct OwnData {
        let keys: [String]
        let pointer: JSONPointer
    }

    var actor: JSONObject?
    var data: JSONObject
    var own: OwnData?
    var actorName = ActorNameRule.firstName
    var preview: String?
    /// The values that the type's `previews`, `times`, `words` and `parts` derive, by placeholder.
    var derived: [String: String] = [:]
    var batch: BatchWords?

    /// Nil for a missing value; null counts as missing.
    func value(of placeholder: Placeholder) -> JSONValue? {
        let value: JSONValue? =
            switch placeholder {
            case .actorName: actor.flatMap(actorName.name).map { .string($0) }
            case .actor(let path): actor?.element(at: path)
            case .data(let path): data.element(at: path)
            case .preview: preview.map { .string($0) }
            case .derived(let name): derived[name].map { .string($0) }
            case .phrase: batch.map { .string($0.phrase) }
            case .count: batch.map { .int($0.count) }
            case .kind: batch?.kind.map { .string($0) }
            case .folded, .people: nil
            }
        if case .null = value { return nil }
        return value
    }

    /// The value's place in the event, for a message; the event itself for derived values.
    func place(of placeholder: Placeholder) -> JSONPointer {
        if let own, case .data(let path) = placeholder, let key = path.first, own.keys.contains(key) {
            return own.pointer.appending(path)
        }
        return placeholder.pointer ?? JSONPointer()
    }

    func with(_ rule: ActorNameRule) -> Rendering {
        var copy = self
        copy.actorName = rule
        return copy
    }
}
