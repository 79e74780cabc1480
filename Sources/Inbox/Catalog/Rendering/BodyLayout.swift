import JSON

/// The members of a notification behind `createdAt`, and their order.
struct BodyLayout: Sendable, Hashable {
    /// A member that every notification of the catalog has.
    struct SharedMember: Sendable, Hashable {
        enum Source: String, Sendable, Hashable, CaseIterable {
            /// The batch's samples; `[]` without any.
            case samples
            /// The number of elements in the batch; 1 for a type that does not batch.
            case count
            /// The own data of the type's category: `{"icon":"person","color":"green"}`; null without a category.
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

    /// Names that a catalog's own members cannot have.
    static let reservedNames = [
        "id", "type", "displayText", "isRead", "createdAt", "actor", "deepLink", "category", "group", "isSeen",
        "rev", "seq", "place", "question",
    ]

    /// Nil for a type whose notifications have no `deepLink`.
    let deepLink: [MemberRule]?
    let fields: [MemberRule]
    let category: String?
    let group: TextRule?
    private let plan: BodyPlan

    /// - Parameters:
    ///   - actor: the shown members of the actor; null where the event lacks one.
    ///   - icon: the own data of the type's category.
    init(
        actor: [JSONName], deepLink: [MemberRule]?, fields: [MemberRule], shared: [SharedMember], category: String?,
        icon: JSONObject?, group: TextRule?
    ) {
        (self.deepLink, self.fields, self.category, self.group) = (deepLink, fields, category, group)
        plan = BodyPlan(
            actor: actor, deepLink: deepLink, fields: fields, shared: shared, category: category, icon: icon)
    }

    /// The members as JSON without braces; never empty, because the actor is always written, if only as null.
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
