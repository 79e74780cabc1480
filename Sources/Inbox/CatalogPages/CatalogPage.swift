import JSON

/// A page about a catalog, in Markdown: its events, and each type with an example that the catalog has rendered.
package struct CatalogPage {
    /// How one route leads to a type.
    struct Way {
        let event: Catalog.EventRule
        let list: String
    }

    let catalog: Catalog

    package init(_ catalog: Catalog) { self.catalog = catalog }

    /// The whole page; always the same for the same catalog.
    package var markdown: String {
        let sections = catalog.notificationTypes.map(section)
        let about = catalog.about.map(Markdown.page)
        let parts = [head, about, eventTable, calls, categoryTable, feedTable].compactMap(\.self)
        return (parts + sections).joined(separator: "\n\n") + "\n"
    }

    /// How events lead to the type, in the order of the file.
    func ways(to type: NotificationType) -> [Way] {
        catalog.eventRules.flatMap { event in
            event.routes.filter { $0.type === type }.map { Way(event: event, list: $0.list) }
        }
    }

    // MARK: Parts

    private var head: String {
        let languages = [catalog.locale] + catalog.languages
        let app = catalog.app.isEmpty ? "all devices of a person" : "devices of the app \(Markdown.code(catalog.app))"
        return """
            # \(Markdown.text(catalog.title()))

            <!-- Written by `belfry catalog docs`; change the catalog, not this page. -->

            The catalog \(Markdown.code(catalog.name)), for backends that publish its events and apps that show its notifications.

            - languages: \(Markdown.text(languages.joined(separator: ", "))); times in \(Markdown.text("\(catalog.zone)")) for people whose zone is unknown
            - the icon counts \(badge)
            - pushes go to \(app)
            """
    }

    private var badge: String {
        switch catalog.badge {
        case .unread: "what is unread"
        case .unseen: "what came since the list was last looked at"
        case .boolean: "1 if anything is unread, else nothing"
        }
    }

    private var eventTable: String {
        let rows = catalog.eventRules.map { event -> [String] in
            let routes =
                event.routes.map { "\(Markdown.code($0.list)) → \(Markdown.text($0.type.name))" }
                + event.feeds.map {
                    "\(Markdown.code($0.item.joined(separator: "."))) into the feed \(Markdown.code($0.text))"
                }
            let data = (event.data ?? []).map { Markdown.code($0.joined(separator: ".")) }
            return [Markdown.code(event.name), routes.joined(separator: ", then "), data.joined(separator: ", ")]
        }
        let header = ["event", "recipient list → type", "data"]
        return "## Events\n\n" + MarkdownTable(header: header, rows: rows).text
    }

    private var categoryTable: String? {
        guard !catalog.categories.isEmpty else { return nil }
        let rows = catalog.categories.map { category in
            [Markdown.code(category.name), Markdown.text(category.title()), Markdown.code(.object(category.data))]
        }
        return "## Categories\n\n" + MarkdownTable(header: ["category", "title", "data"], rows: rows).text
    }
}
