import JSON

/// The members of a notification behind `createdAt`, and their order.
struct BodyLayout: Sendable, Hashable {
    /// A member that every notification of the catalog has.
    struct SharedMember: Sendable, Hashable {
        enum Source: String, Sendable, Hashable, CaseIterable {
            /// The batch's samples; `[]` where there are none.
            case samples
            /// How many elements the batch holds; 1 for a type that does not batch.
            case count
            /// What the type's category says beside its title: `{"icon":"person","color":"green"}`; null without one.
            case icon
        }

        let key: JSONName
        let source: Source

        init(name: String, source: Source) {
            key = JSONName(name)
            self.source = source
        }

        var name: String { key.text }
    }

    /// The names that a catalog's own members must not take.
    static let reservedNames = [
        "id", "type", "displayText", "isRead", "createdAt", "actor", "deepLink", "category", "group", "isSeen",
        "rev", "seq",
    ]

    /// What of the actor is shown; null where the event does not have it.
    let actor: [JSONName]
    /// Nil for a type that leads nowhere and says nothing of it.
    let deepLink: [MemberRule]?
    let fields: [MemberRule]
    let shared: [SharedMember]
    let category: String?
    let icon: JSONObject?
    let group: TextRule?

    /// The members as JSON without braces; never empty, because there is always an actor, if only null.
    ///
    /// - Parameter group: the group as ``group`` renders it.
    func body(_ rendering: Rendering, batch: Batch?, group: String?) -> [UInt8] {
        var json = JSONWriter(capacity: 512)
        json.key("actor")
        writeActor(rendering.actor, to: &json)
        if let deepLink {
            json.key("deepLink")
            json.object { json in
                MemberRule.write(deepLink, rendering, to: &json)
                json.member("actorId", rendering.actor?["id"] ?? .null)
            }
        }
        MemberRule.write(fields, rendering, to: &json)
        for member in shared {
            json.key(member.key)
            switch member.source {
            case .samples:
                json.array { json in
                    for sample in batch?.samples ?? [] { json.value(sample) }
                }
            case .count: json.value(batch?.count ?? 1)
            case .icon:
                if let icon { json.object { $0.members(of: icon) } } else { json.null() }
            }
        }
        if let category { json.member("category", category) }
        if let group { json.member("group", group) }
        return json.bytes
    }

    var requirements: [Requirement] {
        (fields + (deepLink ?? [])).flatMap(\.rule.requirements) + (group?.requirements ?? [])
    }

    private func writeActor(_ actor: JSONObject?, to json: inout JSONWriter) {
        guard let actor else { return json.null() }
        json.object { json in
            // Mostly members stand where they are shown, and then nobody looks for them. Behind one that does not, another of
            // the same name may have come before.
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
