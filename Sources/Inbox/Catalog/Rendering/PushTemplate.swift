import JSON

/// What a type's pushes say.
struct PushTemplate: Sendable, Hashable {
    /// What one push says that stands for several notifications.
    struct Summary: Sendable, Hashable {
        let title: Template
        let body: Template
    }

    /// What the catalog says for all its types' pushes.
    struct Style: Sendable, Hashable {
        var app: String
        var badge: BadgeRule
        var actorName: ActorNameRule
        var sound: String?
        /// The longest body; nil for any length.
        var bodyLimit: TextLimit?
    }

    /// A provider may refuse a whole message for the sake of its picture.
    private static let maximumImageBytes = 1_000

    let title: Template
    let body: Template
    let group: Template?
    let data: [MemberRule]
    let style: Style
    var image: ValueRule?
    var actions: String?
    var replaceKey: Template?
    var isMutable = false
    var wakesApp = false
    var summary: Summary?

    func content(_ rendering: Rendering, urgency: PushPolicy.Urgency) -> PushContent {
        let rendering = rendering.with(style.actorName)
        let body = body.text(rendering) ?? ""
        return PushContent(
            title: title.text(rendering) ?? "", body: style.bodyLimit?.cut(body) ?? body,
            group: group?.text(rendering), urgency: urgency, badge: style.badge, data: data(rendering),
            app: style.app, sound: style.sound, image: image(rendering), actions: actions,
            replaceKey: replaceKey?.text(rendering), isMutable: isMutable, wakesApp: wakesApp,
            summary: summary.flatMap { summary in
                guard let title = summary.title.countedText(rendering), let body = summary.body.countedText(rendering)
                else { return nil }
                return PushContent.Summary(title: title, body: body)
            })
    }

    private func data(_ rendering: Rendering) -> JSONObject {
        var data = JSONObject()
        for member in self.data {
            // A provider's data has no null: what is absent is left out.
            guard let value = member.rule.value(rendering), value.isScalar else { continue }
            data[member.name] = value
        }
        return data
    }

    /// Nil for what is no address of a picture: phones load it over HTTPS only, and better a push without it than none.
    private func image(_ rendering: Rendering) -> String? {
        guard let image = image?.value(rendering)?.string, image.hasPrefix("https://"),
            image.utf8.count <= Self.maximumImageBytes, image.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        return image
    }

    var requirements: [Requirement] {
        let texts = [title, body, group, replaceKey, summary?.title, summary?.body].compactMap(\.self)
        let values = data.map(\.rule) + [image].compactMap(\.self)
        return texts.flatMap(\.requirements)
            + values.flatMap(\.requirements).map { Requirement(placeholder: $0.placeholder, isText: true) }
    }
}
