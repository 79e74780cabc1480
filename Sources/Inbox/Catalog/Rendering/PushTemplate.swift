import JSON

/// The texts and data of a type's pushes.
struct PushTemplate: Sendable, Hashable {
    /// The texts of one push for several notifications.
    struct Summary: Sendable, Hashable {
        let title: CountedRule
        let body: CountedRule

        /// Nil if a value is missing.
        func content(_ rendering: Rendering) -> PushContent.Summary? {
            guard let title = title.countedText(rendering), let body = body.countedText(rendering) else { return nil }
            return PushContent.Summary(title: title, body: body)
        }
    }

    /// The catalog's settings for the pushes of all its types.
    struct Style: Sendable, Hashable {
        var app: String
        var badge: BadgeRule
        var actorName: ActorNameRule
        var sound: String?
        var growthSound: String?
        /// The longest body; nil for any length.
        var bodyLimit: TextCut?
    }

    /// A longer URL could make a provider refuse the whole message.
    private static let maximumImageBytes = 1_000

    let title: TextRule
    let body: TextRule
    let group: TextRule?
    let data: [MemberRule]
    let style: Style
    var image: ValueRule?
    var actions: String?
    var replaceKey: TextRule?
    var isMutable = false
    var wakesApp = false
    var summary: Summary?
    /// Shows nothing of the event, so that it fits every type.
    var digest: PushContent.Summary?

    /// - Parameters:
    ///   - answers: the actions of the event's question.
    ///   - groupText: the type's group text.
    ///   - terms: the type's terms.
    func content(
        _ rendering: Rendering, urgency: PushPolicy.Urgency, answers: [Question.Action], groupText: CountedText?,
        terms: @autoclosure () -> PushTerms
    ) -> PushContent {
        let rendering = rendering.with(style.actorName)
        let body = body.sentence(rendering) ?? ""
        return PushContent(
            title: title.sentence(rendering) ?? "", body: style.bodyLimit?.cut(body) ?? body,
            group: group?.text(rendering), urgency: urgency, badge: style.badge, data: data(rendering),
            app: style.app, sound: style.sound, growthSound: style.growthSound, image: image(rendering),
            actions: actions, answers: answers,
            replaceKey: replaceKey?.text(rendering), isMutable: isMutable, wakesApp: wakesApp,
            summary: summary?.content(rendering), digest: digest, groupText: groupText,
            bodyMaximum: summary == nil ? nil : style.bodyLimit?.maximum, terms: terms())
    }

    private func data(_ rendering: Rendering) -> JSONObject {
        var data = JSONObject()
        for member in self.data {
            // A provider's data has no null: members without a value are left out.
            guard let value = member.rule.value(rendering), value.isFlat else { continue }
            data[member.name] = value
        }
        return data
    }

    /// Nil for an invalid picture URL: phones load pictures over HTTPS only, and a push without one is better than
    /// none.
    private func image(_ rendering: Rendering) -> String? {
        guard let image = image?.value(rendering)?.string, image.hasPrefix("https://"),
            image.utf8.count <= Self.maximumImageBytes, image.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        return image
    }

    var requirements: [Requirement] {
        let texts = [title, body, group, replaceKey].compactMap(\.self)
        let counted = [summary?.title, summary?.body].compactMap(\.self)
        let values = data.map(\.rule) + [image].compactMap(\.self)
        return texts.flatMap(\.requirements) + counted.flatMap(\.requirements)
            + values.flatMap(\.textRequirements)
    }
}

extension JSONValue {
    /// Whether the value is a string, a number, a boolean or a list of these.
    fileprivate var isFlat: Bool { array.map { $0.allSatisfy(\.isScalar) } ?? isScalar }
}
