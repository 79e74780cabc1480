import JSON

/// The values of one event while it is rendered: where placeholders look things up.
struct Rendering {
    /// What a batch gives to texts.
    struct BatchWords {
        let phrase: String
        let count: Int64
        let kind: String?
    }

    /// Which of the data one recipient alone has, and where in the event it stands.
    struct OwnData {
        let keys: [String]
        let pointer: JSONPointer
    }

    var actor: JSONObject?
    var data: JSONObject
    var own: OwnData?
    var actorName = ActorNameRule.firstName
    var preview: String?
    /// What the type's `previews`, `times`, `words` and `parts` make of values, by their placeholders' names.
    var derived: [String: String] = [:]
    var batch: BatchWords?

    /// Nil where there is no value; null counts as none.
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

    /// Where in the event the value comes from, for a message; the event itself for what is derived.
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
