package import JSON

/// One notification type of a catalog, compiled: turns an event into content.
///
/// Immutable: after a reload of the catalog, events that are under way keep the type they were routed to.
package final class NotificationType: Sendable {
    /// The parts of a type that are the same in every language.
    struct Plan: Sendable {
        var push: PushPolicy
        var preferences = ChannelPreferences()
        var actorName: ActorNameRule
        var previews: [PreviewRule] = []
        /// The subjects that people can mute, by kind: `round`.
        var subjects: [(kind: String, id: TextRule)] = []
        /// The top-level members of the event's data that the type's texts use.
        var shownData: Set<String> = []
        /// The paths into the event's data that the type's texts use. For a list of which they use only parts,
        /// `shownElements` has the paths within its elements.
        var shownPaths: Set<[String]> = []
        var shownElements: [[String]: Set<[String]>] = [:]
        var zone: String
        var title: LocalText
    }

    package let name: String
    let plan: Plan
    let wording: Wording
    /// By tag in small letters; empty if nothing of the type is translated.
    let translations: [String: Wording]
    let languages: Languages
    let requirements: [Requirement]
    /// Whether its pushes have texts: a type without them never pushes.
    package let hasPush: Bool
    /// What its events tell a Live Activity; nil if they tell none.
    package let activityEvent: ActivityContent.Event?

    init(name: String, plan: Plan, wording: Wording, translations: [String: Wording], languages: Languages) {
        self.name = name
        self.plan = plan
        self.wording = wording
        // Otherwise each language would get a content of its own, all with the same words.
        let isTranslated = translations.values.contains { $0 != wording }
        self.translations = isTranslated ? translations : [:]
        self.languages = languages
        hasPush = wording.push != nil
        activityEvent = wording.activity?.event
        let grouping = (wording.batch?.by ?? []).map { Requirement(placeholder: $0, form: .text) }
        let all = [wording] + translations.sorted { $0.key < $1.key }.map(\.value)
        var seen: Set<Requirement> = []
        requirements = (all.flatMap(\.requirements) + grouping).filter { seen.insert($0).inserted }
    }

    /// The type's policy, which an event may override: see ``pushPolicy(for:)``.
    package var push: PushPolicy { plan.push }

    /// The defaults for people who have chosen nothing.
    package var preferences: ChannelPreferences { plan.preferences }

    /// The type's title in people's preferences.
    ///
    /// - Parameter locale: the reader's language tag; nil for the catalog's own language.
    package func title(in locale: String? = nil) -> String { plan.title.text(in: locale) }

    /// How long a batch stays open after its first event; nil for a type that does not batch.
    package var batchWindow: Duration? { wording.batch?.window }

    /// Whether a notification that has grown comes up in the list again.
    package var comesUpAgain: Bool { wording.batch?.comesUpAgain ?? false }

    /// The group of types to which the type belongs in people's preferences; nil for none.
    package var category: String? { wording.layout.category }

    /// The members of its notifications that a backend may change afterwards.
    package var liveFields: Set<String> { Set(wording.layout.fields.map(\.name)) }

    /// The live fields that are null in every new notification: only a change gives them a value.
    var emptyFields: [String] {
        wording.layout.fields.filter { $0.rule == .literal(.null) }.map(\.name)
    }

    /// The values that an event must hold for this type, as JSON pointers (RFC 6901): `/data/room/name`.
    package var requiredPointers: [String] {
        // One step a line: as one expression the compiler takes twenty seconds for it.
        var placeholders: [Placeholder] = requirements.map(\.placeholder)
        placeholders += plan.previews.filter { !$0.isOptional }.map(\.source)
        placeholders += wording.times.filter { !$0.isOptional }.map(\.source)
        placeholders += wording.words.filter { !$0.isOptional }.map(\.source)
        if let batch = wording.batch { placeholders.append(.data(batch.list)) }
        var seen: Set<String> = []
        return placeholders.compactMap { $0.pointer?.text }.filter { seen.insert($0).inserted }
    }

    /// The type's own policy with the event's overrides. A type without push texts never pushes.
    package func pushPolicy(for event: Event) -> PushPolicy {
        guard hasPush else { return push }
        var policy = push
        policy.when = event.push ?? push.when
        policy.urgency = event.urgency ?? push.urgency
        return policy
    }

    /// Which batch of a recipient's inbox the event belongs to; nil if it stands alone.
    ///
    /// - Parameter own: the event's data for the recipient alone.
    package func batchKey(for event: Event, own: JSONObject? = nil) -> String? {
        // An answer is about one question, so it stands alone.
        guard event.question == nil else { return nil }
        return wording.batch?.key(type: name, rendering(event, own: own, in: wording, reader: Reader(), batch: nil))
    }

    /// The subjects of the event that people can mute: `actor:user-7`, and those that the catalog names: `room:789`.
    ///
    /// - Parameter own: the event's data for the recipient alone.
    package func subjects(of event: Event, own: JSONObject? = nil) -> [String] {
        let actor = event.actorID.map { ["actor:\($0)"] } ?? []
        guard !plan.subjects.isEmpty else { return actor }
        let rendering = rendering(event, own: own, in: wording, reader: Reader(), batch: nil)
        return actor + plan.subjects.compactMap { kind, id in id.text(rendering).map { "\(kind):\($0)" } }
    }

    // MARK: Rendering

    /// The wording for the recipient. Recipients of one variant share one content of the event.
    ///
    /// Costs next to nothing for a type with one wording, and for readers without a language.
    package func variant(for reader: Reader, own: JSONObject?) -> ContentVariant {
        ContentVariant(
            locale: translations.isEmpty ? nil : languages.translation(for: reader.locale),
            zone: wording.times.isEmpty ? nil : zone(of: reader), own: own.flatMap(shown))
    }

    /// Renders the event, which must have passed ``check(_:for:)``; routing sees to that.
    ///
    /// - Parameters:
    ///   - open: the recipient's open batch; nil to begin a new notification.
    ///   - time: when the event happened.
    ///   - own: the event's data for the recipient alone.
    ///   - reader: the recipient, or another reader of the same ``variant(for:own:)``.
    ///   - withPush: false if no phone will show it: pushes are half of the work.
    package func content(
        for event: Event, own: JSONObject? = nil, reader: Reader = Reader(), at time: Timestamp, growing open: Batch?,
        withPush: Bool = true
    ) -> Content {
        var batch = wording.batch?.batch(event.data(merging: own), at: time, growing: open)
        if hasPush { batch?.take(about: subjects(of: event, own: own), isFirst: open == nil) }
        return content(for: event, own: own, reader: reader, showing: batch, withPush: withPush)
    }

    /// What the event tells the reader's Live Activity; nil for a type without one, and for an event whose key is empty or
    /// too long.
    ///
    /// - Parameter own: the event's data for the recipient alone.
    package func activity(for event: Event, own: JSONObject?, reader: Reader) -> ActivityContent? {
        guard wording.activity != nil else { return nil }
        let translation = languages.translation(for: reader.locale).flatMap { translations[$0] }
        let wording = translation ?? wording
        return wording.activity?.content(rendering(event, own: own, in: wording, reader: reader, batch: nil))
    }

    /// Renders the event with just this batch, whatever elements the event has.
    package func content(
        for event: Event, own: JSONObject? = nil, reader: Reader = Reader(), showing batch: Batch?
    ) -> Content {
        content(for: event, own: own, reader: reader, showing: batch, withPush: true)
    }

    private func content(
        for event: Event, own: JSONObject?, reader: Reader, showing batch: Batch?, withPush: Bool
    ) -> Content {
        // Used in place: a copy of a wording would count dozens of references.
        guard let language = languages.translation(for: reader.locale), let translation = translations[language] else {
            return content(for: event, own: own, reader: reader, showing: batch, in: wording, withPush: withPush)
        }
        return content(for: event, own: own, reader: reader, showing: batch, in: translation, withPush: withPush)
    }

    private func content(
        for event: Event, own: JSONObject?, reader: Reader, showing batch: Batch?, in wording: Wording, withPush: Bool
    ) -> Content {
        let rendering = rendering(event, own: own, in: wording, reader: reader, batch: batch)
        let group = wording.layout.group?.text(rendering)
        let groupText = wording.groupText?.countedText(rendering)
        let push = withPush ? wording.push : nil
        var terms: PushTerms {
            PushTerms(
                category: category, preferences: preferences,
                subjects: batch.map { $0.matters.map(\.subjects) } ?? [subjects(of: event, own: own)])
        }
        var body = wording.layout.body(rendering, batch: batch, group: group)
        let question = event.question?.labelled(by: wording.question)
        question?.append(to: &body)
        return Content(
            type: name,
            displayText: wording.text.sentence(rendering) ?? "",
            body: body,
            batch: batch,
            push: push?.content(
                rendering, urgency: event.urgency ?? plan.push.urgency, answers: question?.actions ?? [],
                groupText: groupText, terms: terms),
            group: group,
            groupText: groupText)
    }

    private func rendering(
        _ event: Event, own: JSONObject?, in wording: Wording, reader: Reader, batch: Batch?
    ) -> Rendering {
        let plain = Rendering(actor: event.actor, data: event.data(merging: own), actorName: plan.actorName)
        // Skipped if nothing is derived: a change copies the rendering first.
        if plan.previews.isEmpty, batch == nil, wording.hasNothingDerived { return plain }
        var rendering = plain
        for preview in plan.previews {
            switch preview.placeholder {
            case .derived(let name): rendering.derived[name] = preview.text(rendering)
            default: rendering.preview = preview.text(rendering)
            }
        }
        if let batch, let rule = wording.batch { rendering.batch = rule.words(for: batch) }
        if !wording.times.isEmpty {
            let zone = zone(of: reader) ?? plan.zone
            for time in wording.times { rendering.derived[time.name] = time.text(rendering, zone: zone) }
        }
        for word in wording.words { rendering.derived[word.name] = word.text(rendering) }
        for part in wording.parts { rendering.derived[part.name] = part.text.text(rendering) }
        return rendering
    }

    /// Nil for the catalog's own zone, and for readers whose zone is unknown.
    private func zone(of reader: Reader) -> String? {
        reader.zone.flatMap { $0 != plan.zone && ZoneNames.isKnown($0) ? $0 : nil }
    }

    /// The members of a recipient's own data that the type shows; nil for none.
    private func shown(_ own: JSONObject) -> JSONObject? {
        let members = own.members.filter { plan.shownData.contains($0.key) }
        return members.isEmpty ? nil : JSONObject(members)
    }
}
