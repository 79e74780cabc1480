import JSON

/// A ``BodyLayout`` ready to be written: pieces of JSON that all notifications of the type share, with gaps between
/// them for the values that differ.
struct BodyPlan: Sendable, Hashable {
    private enum Gap: Sendable, Hashable {
        case actor
        case actorID
        case text(TextRule)
        case value(ValueRule)
        case samples
        case count
    }

    private struct Step: Sendable, Hashable {
        let piece: JSONPiece
        let gap: Gap
    }

    private let steps: [Step]
    /// The JSON behind the last gap.
    private let end: JSONPiece
    /// The shown members of the actor; null where the event lacks one.
    private let actor: [JSONName]

    init(
        actor: [JSONName], deepLink: [MemberRule]?, fields: [MemberRule], shared: [BodyLayout.SharedMember],
        category: String?, icon: JSONObject?
    ) {
        var json = JSONWriter()
        var gaps: [(place: Int, gap: Gap)] = []
        func leave(_ gap: Gap, in json: inout JSONWriter) { gaps.append((json.gap(), gap)) }
        func write(_ members: [MemberRule], to json: inout JSONWriter) {
            for member in members {
                json.key(member.key)
                switch member.rule {
                case .literal(let value): json.value(value)
                case .text(let rule): leave(.text(rule), in: &json)
                case .value, .object: leave(.value(member.rule), in: &json)
                }
            }
        }
        json.key("actor")
        leave(.actor, in: &json)
        if let deepLink {
            json.key("deepLink")
            json.object { json in
                write(deepLink, to: &json)
                json.key("actorId")
                leave(.actorID, in: &json)
            }
        }
        write(fields, to: &json)
        for member in shared {
            json.key(member.key)
            switch member.source {
            case .samples: leave(.samples, in: &json)
            case .count: leave(.count, in: &json)
            case .icon: json.value(icon.map { .object($0) } ?? .null)
            }
        }
        if let category { json.member("category", category) }
        var start = 0
        var steps: [Step] = []
        for (place, gap) in gaps {
            steps.append(Step(piece: JSONPiece(json.bytes[start..<place]), gap: gap))
            start = place
        }
        (self.steps, self.actor) = (steps, actor)
        end = JSONPiece(json.bytes[start...])
    }

    func write(_ rendering: Rendering, batch: Batch?, to json: inout JSONWriter) {
        let steps = steps.span
        // Used in place: a copy of a step would count half a dozen references.
        for place in steps.indices {
            switch steps[place].gap {
            case .actor:
                json.piece(steps[place].piece)
                writeActor(rendering.actor, to: &json)
            case .actorID: Self.write(rendering.actor?["id"], behind: steps[place].piece, to: &json)
            case .text(let rule):
                if let text = rule.text(rendering) {
                    json.piece(steps[place].piece, text)
                } else {
                    json.piece(steps[place].piece)
                    json.null()
                }
            case .value(let rule): Self.write(rule.value(rendering), behind: steps[place].piece, to: &json)
            case .samples:
                json.piece(steps[place].piece)
                json.array { json in
                    for sample in batch?.samples ?? [] { json.value(sample) }
                }
            case .count:
                json.piece(steps[place].piece)
                json.value(batch?.count ?? 1)
            }
        }
        json.lastPiece(end)
    }

    /// - Parameter value: null where it is missing.
    private static func write(_ value: JSONValue?, behind piece: JSONPiece, to json: inout JSONWriter) {
        if case .string(let text) = value { return json.piece(piece, text) }
        json.piece(piece)
        json.value(value ?? .null)
    }

    private func writeActor(_ actor: JSONObject?, to json: inout JSONWriter) {
        guard let actor else { return json.null() }
        json.object { json in
            // Members are mostly in the order in which they are shown, and then need no search. Behind one that is not,
            // an equal name may have come before, so the rest is searched.
            var isInPlace = true
            for (place, name) in self.actor.enumerated() {
                isInPlace = isInPlace && place < actor.members.count && actor.members[place].key == name.text
                if isInPlace {
                    json.member(name, actor.members[place].value)
                } else {
                    json.member(name, of: actor)
                }
            }
        }
    }
}
