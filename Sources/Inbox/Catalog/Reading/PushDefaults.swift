/// A type's push settings where its own `push` does not override them.
struct PushDefaults {
    /// The keys that are allowed in a catalog's `push` and in a type's.
    static let keys = ["when", "urgency", "actorName", "grace", "lifetime", "sound", "growthSound", "bodyMax"]

    var policy = PushPolicy(when: .fallback, urgency: .normal)
    var style: PushTemplate.Style
    var digest: PushContent.Summary?

    init(app: String, badge: BadgeRule, actorName: ActorNameRule) {
        style = PushTemplate.Style(app: app, badge: badge, actorName: actorName, sound: "default")
    }

    /// These defaults, overridden by one more `push` mapping; a key that is null resets its default.
    func overridden(by reader: MappingReader) -> PushDefaults {
        var new = self
        new.policy.when = reader.choice("when") ?? policy.when
        new.policy.urgency = reader.choice("urgency") ?? policy.urgency
        new.policy.grace = value("grace", of: reader, else: policy.grace, reader.wait)
        new.policy.lifetime = value("lifetime", of: reader, else: policy.lifetime, reader.duration)
        new.style.actorName = reader.choice("actorName") ?? style.actorName
        new.style.sound = value("sound", of: reader, else: style.sound, reader.plainText)
        new.style.growthSound = value("growthSound", of: reader, else: style.growthSound, reader.plainText)
        new.style.bodyLimit = value("bodyMax", of: reader, else: style.bodyLimit) { node in
            reader.wholeNumber(node, in: 20...4_000).map { TextCut(maximum: $0) }
        }
        return new
    }

    /// The key's value: nil if it is null, and `old` if the key is absent.
    private func value<Value>(
        _ key: String, of reader: MappingReader, else old: Value?, _ read: (SourceNode) -> Value?
    ) -> Value? {
        guard let entry = reader.entries.first(where: { $0.key == key }) else { return old }
        return entry.value.isNull ? nil : read(entry.value)
    }
}
