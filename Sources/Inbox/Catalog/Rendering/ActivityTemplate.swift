import JSON

/// What the events of a type tell a Live Activity, in one language.
struct ActivityTemplate: Sendable, Hashable {
    struct Beginning: Sendable, Hashable {
        let type: String
        let attributes: [MemberRule]
    }

    struct Alert: Sendable, Hashable {
        let title: TextRule
        let body: TextRule
        let sound: String?
    }

    let event: ActivityContent.Event
    let key: TextRule
    /// Only with a start.
    let beginning: Beginning?
    let state: [MemberRule]
    let alert: Alert?
    let relevance: ValueRule?
    let staleAfter: Duration?
    let dismissAfter: Duration?
    let priority: ActivityContent.Priority
    let app: String

    /// Nil for an event whose key is empty or too long.
    func content(_ rendering: Rendering) -> ActivityContent? {
        guard let key = key.text(rendering), ActivityContent.isKey(key) else { return nil }
        var content = ActivityContent(
            event: event, key: key, state: Self.object(state, rendering), staleAfter: staleAfter,
            dismissAfter: dismissAfter, priority: priority, app: app)
        content.beginning = beginning.map {
            .init(type: $0.type, attributes: Self.object($0.attributes, rendering))
        }
        content.alert = alert.map { alert in
            .init(
                title: alert.title.sentence(rendering) ?? "", body: alert.body.sentence(rendering) ?? "",
                sound: alert.sound)
        }
        // The system takes a number only.
        if let value = relevance?.value(rendering), value.anyDouble != nil { content.relevance = value }
        return content
    }

    /// A missing value is null, which an optional property of the app's type takes.
    private static func object(_ members: [MemberRule], _ rendering: Rendering) -> JSONObject {
        JSONObject(members.map { .init(key: $0.name, value: $0.rule.value(rendering) ?? .null) })
    }

    var requirements: [Requirement] {
        let values = state.map(\.rule) + (beginning?.attributes.map(\.rule) ?? []) + [relevance].compactMap(\.self)
        return key.requirements + values.flatMap(\.requirements) + (alert?.title.requirements ?? [])
            + (alert?.body.requirements ?? [])
    }
}
