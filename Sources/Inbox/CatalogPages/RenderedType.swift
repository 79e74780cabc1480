/// A notification type as people see it, in each language of its catalog.
package struct RenderedType: Sendable {
    package struct Text: Sendable {
        /// The language's tag.
        package let language: String
        /// Nil for a type that does not come into the inbox.
        package let displayText: String?
        /// Nil for a type without a push.
        package let push: (title: String, body: String)?
    }

    package let type: NotificationType
    /// The recipient lists that lead to it.
    package let lists: [String]
    /// The catalog's own language first.
    package let texts: [Text]
}

extension Catalog {
    /// The catalog's types, each by an example; a type that no event leads to, or that needs an example of its own, has
    /// a problem in words instead.
    package var renderedTypes: [(type: NotificationType, Result<RenderedType, EventProblem>?)] {
        notificationTypes.map { type in
            let ways = eventRules.flatMap { rule in
                rule.routes.filter { $0.type.name == type.name }.map { (rule: rule, list: $0.list) }
            }
            guard let way = ways.first else { return (type, nil) }
            let sample = CatalogSample(of: way.rule, to: way.list, as: type)
            return (
                type,
                Result { () throws(EventProblem) in
                    let event = try route(sample.event, at: CatalogSample.time).event
                    return rendered(event, as: type, lists: ways.map(\.list), at: CatalogSample.time)
                }
            )
        }
    }

    /// An event as each of the types to which its lists lead.
    package func rendered(_ routed: RoutedEvent, at time: Timestamp) -> [RenderedType] {
        var names: [String] = []
        for route in routed.routes where !names.contains(route.type.name) { names.append(route.type.name) }
        return names.compactMap { name in
            let routes = routed.routes.filter { $0.type.name == name }
            return routes.first.map {
                rendered(routed.event, as: $0.type, lists: routes.map(\.list.name), at: time)
            }
        }
    }

    private func rendered(_ event: Event, as type: NotificationType, lists: [String], at time: Timestamp)
        -> RenderedType
    {
        let texts = ([locale] + languages).map { language in
            let content = type.content(for: event, reader: Reader(locale: language), at: time, growing: nil)
            return RenderedType.Text(
                language: language, displayText: type.preferences.isPushOnly ? nil : content.displayText,
                push: content.push.map { ($0.title, $0.body) })
        }
        var unique: [String] = []
        for list in lists where !unique.contains(list) { unique.append(list) }
        return RenderedType(type: type, lists: unique, texts: texts)
    }
}
