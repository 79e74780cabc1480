import JSON

extension TypeReader {
    /// Reads the members of the type's notifications.
    func layout(_ batch: BatchRule?, group: TextRule?) -> BodyLayout {
        var shared = defaults.shared
        if let samples = batch?.samples, !shared.contains(where: { $0.name == samples.member }) {
            shared.append(.init(name: samples.member, source: .samples))
        }
        let category = category()
        return BodyLayout(
            actor: defaults.actor.map(JSONName.init), deepLink: deepLink(), fields: fields(shared: shared),
            shared: shared,
            category: category, icon: defaults.categories?.first { $0.name == category }?.data, group: group)
    }

    private func category() -> String? {
        guard let node = reader["category"], let category = reader.text(node) else { return nil }
        if let known = defaults.categories?.map(\.name), !known.contains(category) {
            issues.add(node, "unknown category\(Spelling.hint(for: category, among: known))")
        }
        return category
    }

    private func deepLink() -> [MemberRule]? {
        guard let link = reader.mapping("deepLink", known: nil) else { return nil }
        _ = link.required("type", expected: "the kind of place to open")
        for entry in link.entries where entry.key == "actorId" {
            link.refuse(entry, "every deep link ends with the actor's id; expected no such key")
        }
        return link.memberRules(in: scope)
    }

    private func fields(shared: [BodyLayout.SharedMember]) -> [MemberRule] {
        guard let fields = reader.mapping("fields", known: nil) else { return [] }
        for entry in fields.entries {
            fields.checkName(entry)
            guard shared.contains(where: { $0.name == entry.key }) else { continue }
            fields.refuse(entry, "the catalog's members have this name already; expected another name")
        }
        return fields.memberRules(in: scope)
    }
}

extension MappingReader {
    /// Refuses a name that every notification's own members have.
    func checkName(_ entry: SourceNode.Entry) {
        guard BodyLayout.reservedNames.contains(entry.key) else { return }
        refuse(entry, "every notification has a member of this name already; expected another name")
    }
}
