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

    /// Nil for a type that leads nowhere and says nothing of it.
    let deepLink: [MemberRule]?
    let fields: [MemberRule]
    let category: String?
    let group: TextRule?
    private let plan: BodyPlan

    /// - Parameters:
    ///   - actor: what of the actor is shown; null where the event does not have it.
    ///   - icon: what the type's category says beside its title.
    init(
        actor: [JSONName], deepLink: [MemberRule]?, fields: [MemberRule], shared: [SharedMember], category: String?,
        icon: JSONObject?, group: TextRule?
    ) {
        (self.deepLink, self.fields, self.category, self.group) = (deepLink, fields, category, group)
        plan = BodyPlan(
            actor: actor, deepLink: deepLink, fields: fields, shared: shared, category: category, icon: icon)
    }

    /// The members as JSON without braces; never empty, because there is always an actor, if only null.
    ///
    /// - Parameter group: the group as ``group`` renders it.
    func body(_ rendering: Rendering, batch: Batch?, group: String?) -> [UInt8] {
        var json = JSONWriter(capacity: 512)
        plan.write(rendering, batch: batch, to: &json)
        if let group { json.member("group", group) }
        return json.bytes
    }

    var requirements: [Requirement] {
        (fields + (deepLink ?? [])).flatMap(\.rule.requirements) + (group?.requirements ?? [])
    }
}
