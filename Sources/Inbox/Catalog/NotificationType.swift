package import JSON

/// One notification type of a catalog, compiled: turns an event into content.
///
/// Immutable, so a reload of the catalog leaves events that are under way with the type they were routed to.
package final class NotificationType: Sendable {
    package let name: String
    package let push: PushPolicy
    private let text: Template
    private let actorName: ActorNameRule
    private let preview: PreviewRule?
    private let batch: BatchRule?
    private let layout: BodyLayout
    private let pushTemplate: PushTemplate?
    private let requirements: [Requirement]

    init(
        name: String, push: PushPolicy, text: Template, actorName: ActorNameRule, preview: PreviewRule?,
        batch: BatchRule?, layout: BodyLayout, pushTemplate: PushTemplate?
    ) {
        self.name = name
        self.push = push
        self.text = text
        self.actorName = actorName
        self.preview = preview
        self.batch = batch
        self.layout = layout
        self.pushTemplate = pushTemplate
        let grouping = (batch?.by ?? []).map { Requirement(placeholder: $0, isText: true) }
        requirements =
            text.requirements + layout.requirements + (pushTemplate?.requirements ?? []) + grouping
    }

    /// How long a batch stays open after its first event; nil for a type that does not batch.
    package var batchWindow: Duration? { batch?.window }

    /// The type's own policy with the event's overrides. A type without push texts never pushes.
    package func pushPolicy(for event: Event) -> PushPolicy {
        guard pushTemplate != nil else { return push }
        var policy = push
        policy.when = event.push ?? push.when
        policy.urgency = event.urgency ?? push.urgency
        return policy
    }

    /// Which batch of a recipient's inbox the event belongs to; nil if it stands alone.
    package func batchKey(for event: Event) -> String? {
        batch?.key(type: name, rendering(event, batch: nil))
    }

    /// Which of its wordings the recipient gets: the event's content is the same for all recipients of one variant.
    package func variant(for reader: Reader, own: JSONObject?) -> ContentVariant { ContentVariant() }

    /// What the event is about, as people can mute it: `actor:user-7`, and what the catalog names: `room:789`.
    package func subjects(of event: Event) -> [String] { event.actorID.map { ["actor:\($0)"] } ?? [] }

    /// The group of types to which it belongs in people's preferences; nil for none.
    package var category: String? { layout.category }

    /// The members of its notifications that a backend may change afterwards.
    package var liveFields: Set<String> { [] }

    /// Renders the event, which must have passed ``check(_:)``; routing sees to that.
    ///
    /// - Parameters:
    ///   - open: what the recipient's open batch holds; nil to begin a new notification.
    ///   - time: when the event happened.
    ///   - own: what the event says for the recipient alone.
    ///   - reader: the recipient, or others of the same ``variant(for:own:)``.
    package func content(
        for event: Event, own: JSONObject? = nil, reader: Reader = Reader(), at time: Timestamp, growing open: Batch?
    ) -> Content {
        let batch = self.batch?.batch(event, at: time, growing: open)
        let rendering = rendering(event, batch: batch)
        return Content(
            type: name,
            displayText: text.text(rendering) ?? "",
            body: layout.body(rendering, batch: batch),
            batch: batch,
            push: pushTemplate?.content(rendering, urgency: pushPolicy(for: event).urgency))
    }

    private func rendering(_ event: Event, batch: Batch?) -> Rendering {
        var rendering = Rendering(actor: event.actor, data: event.data, actorName: actorName)
        rendering.preview = preview.flatMap { preview in
            rendering.value(of: preview.source)?.string.map(preview.preview)
        }
        rendering.batch = batch.flatMap { self.batch?.words(for: $0) }
        return rendering
    }

    // MARK: Checking

    /// Finds what the event lacks for this type, before anything of it is stored.
    func check(_ event: Event) throws(EventProblem) {
        try batch?.check(event)
        let rendering = Rendering(actor: event.actor, data: event.data, actorName: actorName)
        for requirement in requirements {
            guard let pointer = requirement.placeholder.pointer else { continue }
            guard let value = rendering.value(of: requirement.placeholder) else {
                throw .missingField(pointer, expected: "a value, which \(name) shows")
            }
            guard !requirement.isText || value.isScalar else {
                throw .wrongType(pointer, expected: "a string, a number or a boolean", found: value.kind)
            }
        }
        try checkPreview(rendering)
    }

    private func checkPreview(_ rendering: Rendering) throws(EventProblem) {
        guard let preview, let pointer = preview.source.pointer else { return }
        guard let value = rendering.value(of: preview.source) else {
            throw .missingField(pointer, expected: "a text, which \(name) shows")
        }
        guard value.string != nil else { throw .wrongType(pointer, expected: "a string", found: value.kind) }
    }
}
