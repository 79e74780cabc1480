/// One app's description of its notifications: which events there are, who gets which type, and what each type says.
///
/// Loaded whole or not at all: see ``init(yaml:file:)``.
package struct Catalog: Sendable {
    /// Which recipient list gets which type.
    package struct Route: Sendable {
        package let list: String
        package let type: NotificationType
    }

    /// What happens to events of one type, and where the catalog says so.
    package struct EventRule: Sendable {
        package let name: String
        package let routes: [Route]
        /// What it publishes to feeds, in the file's order.
        package let feeds: [EventFeed]
        /// The paths that backends send along; nil if the catalog does not say.
        package let data: [[String]]?
        /// An example of one; its types have all they show in it.
        package let sample: EventSample?
        /// Nil if the catalog does not declare the event's data.
        let knownData: KnownData?
        let source: CatalogError.Place
    }

    package let name: String
    let source: CatalogError.Place
    let titles: LocalText
    /// What operators and backends are to know, in Markdown, for the page about it; nil for nothing.
    package var about: String?
    /// The language tag of its own texts.
    package let locale: String
    /// In which times are printed for readers whose zone nobody knows.
    package let zone: String
    /// The app whose devices get its pushes; empty for all.
    package let app: String
    package let badge: BadgeRule
    /// The tags of its translations, sorted.
    package let languages: [String]
    /// In the file's order; none if the catalog declares none.
    package let categories: [Category]
    /// In the file's order.
    package let eventRules: [EventRule]
    /// In the file's order.
    package let notificationTypes: [NotificationType]
    let events: [String: EventRule]
    let types: [String: NotificationType]
    /// What it says of feeds.
    package var feeds = FeedRules()
    /// What was hardly meant and keeps nothing from working: see ``CatalogError/Issue``. By line.
    package var warnings: [CatalogError.Issue] = []

    /// The app's name as people know it.
    ///
    /// - Parameter locale: the reader's language tag; nil for the catalog's own language.
    package func title(in locale: String? = nil) -> String { titles.text(in: locale) }

    /// The language in which somebody is told of the catalog who wants these, the best first, and refuses those; see
    /// ``Languages/choice(of:refusing:)``.
    package func language(of wanted: [String], refusing refused: [String]) -> String {
        titles.languages.choice(of: wanted, refusing: refused)
    }

    /// The event types that this catalog routes, sorted.
    package var eventTypes: [String] { events.keys.sorted() }
    /// The names of its notification types, sorted.
    package var typeNames: [String] { types.keys.sorted() }

    package func notificationType(named name: String) -> NotificationType? { types[name] }

    package func category(named name: String) -> Category? { categories.first { $0.name == name } }

    func with(about: String?) -> Catalog {
        var catalog = self
        catalog.about = about
        return catalog
    }
}
