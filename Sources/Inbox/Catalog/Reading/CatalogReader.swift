extension Catalog {
    /// Reads a catalog's YAML.
    ///
    /// - Parameter file: the name under which mistakes are reported.
    /// - Throws: ``CatalogError`` with everything that is wrong with the file, not just the first thing.
    package init(yaml: String, file: String) throws(CatalogError) {
        let issues = CatalogIssues(file: file)
        let root = SourceNode.parse(yaml, issues: issues)
        let reader = root.flatMap { MappingReader($0, known: CatalogReader.keys, issues: issues) }
        let catalog = reader.flatMap { CatalogReader(reader: $0).catalog() }
        guard let catalog, issues.isEmpty else { throw issues.error }
        self = catalog
    }
}

/// Reads a catalog's top level.
struct CatalogReader {
    static let keys = ["catalog", "app", "actorName", "badge", "actor", "members", "push", "events", "types"]

    /// What the catalog says for all its types at once.
    struct Defaults {
        var actorName: ActorNameRule
        var actor: [String]
        var shared: [BodyLayout.SharedMember]
        var push: PushDefaults
    }

    /// An event as the catalog has it, before its types are known.
    private struct EventSource {
        let entry: SourceNode.Entry
        let routes: [(list: String, type: SourceNode)]
        let declared: PlaceholderScope.DeclaredData?
    }

    let reader: MappingReader
    private var issues: CatalogIssues { reader.issues }

    init(reader: MappingReader) { self.reader = reader }

    func catalog() -> Catalog? {
        let name = reader.requiredText("catalog", expected: "the catalog's name")
        let events = events()
        let types = types(events: events)
        let rules = events.map { event in (event.entry.key, rule(event, types: types)) }
        guard let name else { return nil }
        return Catalog(
            name: name,
            source: issues.place(line: reader.node.line, column: reader.node.column),
            events: Dictionary(rules) { first, _ in first }, types: types)
    }

    // MARK: Events

    private func events() -> [EventSource] {
        guard let node = reader.required("events", expected: "the events and their routes") else { return [] }
        return (MappingReader(node, known: nil, issues: issues)?.entries ?? []).compactMap(event)
    }

    private func event(_ entry: SourceNode.Entry) -> EventSource? {
        guard let event = MappingReader(entry.value, known: ["routes", "data"], issues: issues) else { return nil }
        var routes: [(list: String, type: SourceNode)] = []
        if event.required("routes", expected: "a list of {to: …, type: …}") != nil {
            routes = (event.list("routes") ?? []).compactMap(route)
        }
        let paths = event.list("data")?.compactMap(event.path)
        return EventSource(
            entry: entry, routes: routes, declared: paths.map { .init(event: entry.key, paths: $0) })
    }

    private func route(_ node: SourceNode) -> (list: String, type: SourceNode)? {
        guard let route = MappingReader(node, known: ["to", "type"], issues: issues) else { return nil }
        let list = route.requiredText("to", expected: "the name of a recipient list")
        let type = route.required("type", expected: "the name of a notification type")
        guard let list, let type else { return nil }
        return (list, type)
    }

    /// Types that did not compile are left out; their own issues tell why.
    private func rule(_ event: EventSource, types: [String: NotificationType]) -> Catalog.EventRule {
        let routes = event.routes.compactMap { route in
            route.type.scalar.flatMap { types[$0] }.map { Catalog.Route(list: route.list, type: $0) }
        }
        return .init(routes: routes, source: issues.place(line: event.entry.line, column: event.entry.column))
    }

    // MARK: Types

    private func types(events: [EventSource]) -> [String: NotificationType] {
        let defaults = defaults()
        guard let node = reader.required("types", expected: "the notification types"),
            let entries = MappingReader(node, known: nil, issues: issues)?.entries
        else { return [:] }
        let names = entries.map(\.key)
        for type in events.lazy.flatMap(\.routes).map(\.type) where !names.contains(type.scalar ?? "") {
            issues.add(type, "unknown notification type\(Spelling.hint(for: type.scalar ?? "", among: names))")
        }
        let types = entries.compactMap { entry -> (String, NotificationType)? in
            let leading = events.filter { event in event.routes.contains { $0.type.scalar == entry.key } }
            return TypeReader(entry, declared: leading.compactMap(\.declared), defaults: defaults, issues: issues)?
                .type().map { (entry.key, $0) }
        }
        return Dictionary(types) { first, _ in first }
    }

    // MARK: Defaults

    private func defaults() -> Defaults {
        let actorName: ActorNameRule = reader.choice("actorName") ?? .firstName
        let push = PushDefaults(
            app: reader["app"].flatMap(reader.plainText) ?? "", badge: reader.choice("badge") ?? .unread,
            actorName: actorName)
        return Defaults(
            actorName: actorName, actor: actorMembers(), shared: sharedMembers(),
            push: reader.mapping("push", known: PushDefaults.keys).map(push.overridden) ?? push)
    }

    private func actorMembers() -> [String] {
        // Nothing but the id, so that what a backend knows of a person is shown only where a catalog asks for it.
        guard let node = reader["actor"], let names = reader.list("actor") else { return ["id"] }
        if names.isEmpty { issues.add(node, "expected at least one member, like id") }
        return names.compactMap(reader.text)
    }

    private func sharedMembers() -> [BodyLayout.SharedMember] {
        guard let members = reader.mapping("members", known: nil) else { return [] }
        return members.entries.compactMap { entry in
            members.checkName(entry)
            return members.choice(entry.value).map { .init(name: entry.key, source: $0) }
        }
    }
}

extension MappingReader {
    /// Refuses a name that a notification's own members have.
    func checkName(_ entry: SourceNode.Entry) {
        guard BodyLayout.reservedNames.contains(entry.key) else { return }
        let message = "every notification has a member of this name already; expected another name"
        issues.add(line: entry.line, column: entry.column, key: entry.value.path, message)
    }
}
