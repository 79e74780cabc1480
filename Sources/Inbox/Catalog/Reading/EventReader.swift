import JSON

/// Reads one event of a catalog.
struct EventReader {
    let name: String
    let entry: SourceNode.Entry
    let routes: [(list: String, type: SourceNode)]
    let declared: PlaceholderScope.DeclaredData?
    /// Each with its place, for issues that are found later.
    let feeds: [(feed: EventFeed, node: SourceNode)]
    private let usedInFeeds = UsedData()
    private let sample: EventSample?
    private let sampleNode: SourceNode?
    private let issues: CatalogIssues

    init?(_ entry: SourceNode.Entry, issues: CatalogIssues) {
        guard let event = MappingReader(entry.value, known: ["routes", "data", "sample", "feeds"], issues: issues)
        else {
            return nil
        }
        self.entry = entry
        self.issues = issues
        name = entry.key
        var routes: [(list: String, type: SourceNode)] = []
        if event.required("routes", expected: "a list of {to: …, type: …}") != nil {
            let nodes = event.list("routes") ?? []
            routes = nodes.compactMap { Self.route($0, issues: issues) }
            if nodes.isEmpty, event["feeds"] == nil {
                issues.warn(entry, "without routes nobody gets anything of this event")
            }
        }
        self.routes = routes
        for (place, route) in routes.enumerated() {
            guard let first = routes[..<place].first(where: { $0.list == route.list }) else { continue }
            issues.warn(
                route.type, "never used: \"\(route.list)\" gets \(first.type.scalar ?? "its type") by an earlier route")
        }
        for node in event.list("data") ?? [] {
            guard let path = node.scalar, path == "actor" || path.hasPrefix("actor.") else { continue }
            issues.warn(node, "never used: {{\(path)}} is the event's actor and not its data; leave it out here")
        }
        declared = event.list("data").map { .init(event: entry.key, paths: $0.compactMap(event.path)) }
        let scope = PlaceholderScope(declared: declared.map { [$0] } ?? [], used: usedInFeeds)
        let feedReader = EventFeedReader(scope: scope, issues: issues)
        feeds = (event.list("feeds") ?? []).compactMap(feedReader.feed)
        sampleNode = event["sample"]
        sample = event.mapping("sample", known: ["actor", "data", "own"]).map {
            Self.sample($0, lists: routes.map(\.list))
        }
    }

    private static func route(_ node: SourceNode, issues: CatalogIssues) -> (list: String, type: SourceNode)? {
        guard let route = MappingReader(node, known: ["to", "type"], issues: issues) else { return nil }
        let list = route.requiredText("to", expected: "the name of a recipient list")
        let type = route.required("type", expected: "the name of a notification type")
        guard let list, let type else { return nil }
        return (list, type)
    }

    private static func sample(_ sample: MappingReader, lists: [String]) -> EventSample {
        let own = sample.mapping("own", known: lists)
        return EventSample(
            actor: sample["actor"].flatMap(sample.literalObject),
            data: sample["data"].flatMap(sample.literalObject) ?? [:],
            own: Dictionary(
                (own?.entries ?? []).compactMap { entry in
                    own?.literalObject(entry.value).map { (entry.key, $0) }
                }
            ) { first, _ in first })
    }

    /// Leaves out types that did not compile; their own issues tell why.
    func rule(types: [String: NotificationType]) -> Catalog.EventRule {
        let routes = routes.compactMap { route in
            route.type.scalar.flatMap { types[$0] }.map { Catalog.Route(list: route.list, type: $0) }
        }
        check(routes)
        return .init(
            name: name, routes: routes, feeds: feeds.map(\.feed), data: declared?.paths, sample: sample,
            knownData: declared.map {
                KnownData(declared: $0.paths, types: routes.map(\.type), shownInFeeds: usedInFeeds.paths)
            }, question: question(types),
            source: issues.place(line: entry.line, column: entry.column))
    }

    /// What all of its types ask. An event has one question, for all its people.
    private func question(_ types: [String: NotificationType]) -> QuestionRule? {
        let asked = routes.compactMap { route in types[route.type.scalar ?? ""].map { (node: route.type, type: $0) } }
        guard let first = asked.first else { return nil }
        for (node, type) in asked where !QuestionRule.askAlike(first.type.wording.question, type.wording.question) {
            issues.add(
                node, "\(type.name) does not ask the same as \(first.type.name); expected another event for this list")
        }
        return first.type.wording.question
    }

    /// Finds values that the sample lacks, so that samples stay examples that work.
    private func check(_ routes: [Catalog.Route]) {
        guard let sample, let sampleNode else { return }
        for route in routes {
            do {
                try route.type.check(sample.event(name, to: route.list))
            } catch {
                issues.add(sampleNode, "at \"\(error.pointer)\": \(error.message)")
            }
        }
    }
}
