import JSON

/// The values of one event while it is rendered: where placeholders look things up.
struct Rendering {
    /// What a batch gives to texts.
    struct BatchWords {
        let phrase: String
        let count: Int64
        let kind: String?
    }

    var actor: JSONObject?
    var data: JSONObject
    var actorName = ActorNameRule.firstName
    var preview: String?
    var batch: BatchWords?

    /// Nil where there is no value; null counts as none.
    func value(of placeholder: Placeholder) -> JSONValue? {
        let value: JSONValue? =
            switch placeholder {
            case .actorName: actor.flatMap(actorName.name).map { .string($0) }
            case .actor(let path): actor.flatMap { JSONValue.object($0).at(path) }
            case .data(let path): JSONValue.object(data).at(path)
            case .preview: preview.map { .string($0) }
            case .phrase: batch.map { .string($0.phrase) }
            case .count: batch.map { .int($0.count) }
            case .kind: batch?.kind.map { .string($0) }
            case .folded: nil
            }
        if case .null = value { return nil }
        return value
    }

    func with(_ rule: ActorNameRule) -> Rendering {
        var copy = self
        copy.actorName = rule
        return copy
    }
}
