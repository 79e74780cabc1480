import JSON

/// What a type's pushes say.
struct PushTemplate: Sendable, Hashable {
    let title: Template
    let body: Template
    let group: Template?
    let data: [MemberRule]
    let actorName: ActorNameRule
    let badge: BadgeRule

    func content(_ rendering: Rendering, urgency: PushPolicy.Urgency) -> PushContent {
        let rendering = rendering.with(actorName)
        var data = JSONObject()
        for member in self.data {
            // A provider's data has no null: what is absent is left out.
            guard let value = member.rule.value(rendering), value.isScalar else { continue }
            data[member.name] = value
        }
        return PushContent(
            title: title.text(rendering) ?? "", body: body.text(rendering) ?? "",
            group: group?.text(rendering), urgency: urgency, badge: badge, data: data)
    }

    var requirements: [Requirement] {
        let texts = [title, body, group].compactMap(\.self).flatMap(\.requirements)
        return texts
            + data.flatMap(\.rule.requirements).map { Requirement(placeholder: $0.placeholder, isText: true) }
    }
}
