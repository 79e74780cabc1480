/// One app's description of its notifications: its events, which recipients get which type, and the texts of each type.
///
/// Loaded whole or not at all: see ``init(yaml:file:)``.
package struct Catalog: Sendable {
    /// Gives a recipient list its notification type.
    package struct Route: Sendable {
        package let list: String
        package let type: NotificationType
    }

    /// The routes and feeds of one event type, and the rule's place in the file.
    package struct EventRule: Sendable {
        package let name: String
        package let routes: [Route]
        /// The event's items for feeds, in the file's order.
        package let feeds: [EventFeed]
        /// The paths into `data` that backends send; nil if the catalog does not declare them.
        package let data: [[String]]?
        /// An example event; it holds all that its types show.
        package let sample: EventSample?
        /// Nil if the catalog does not declare the event's data.
        let knownData: KnownData?
        /// What the event asks if it has no question of its own, in the words of one of its types; nil if nothing.
        let question: QuestionRule?
        let source: CatalogError.Place
    }

    package let name: String
    let source: CatalogError.Place
    let titles: LocalText
    /// Markdown for operators and backends, shown on the catalog's page; nil for none.
    package var about: String?
    /// The language tag of the catalog's own texts.
    package let locale: String
    /// The zone of printed times for readers whose own zone is unknown.
    package let zone: String
    /// The app whose devices get its pushes; empty for all.
    package let app: String
    package let badge: BadgeRule
    /// The tags of its translations, sorted.
    package let languages: [String]
    /// In the file's order; empty if the catalog declares none.
    package let categories: [Category]
    /// In the file's order.
    package let eventRules: [EventRule]
    /// In the file's order.
    package let notificationTypes: [NotificationType]
    let events: [String: EventRule]
    let types: [String: NotificationType]
    /// The catalog's rules for feeds.
    package var feeds = FeedRules()
    /// Probable mistakes that do not stop the catalog from working, by line: see ``CatalogError/Issue``.
    package var warnings: [CatalogError.Issue] = []

    /// The app's name as people know it.
    ///
    /// - Parameter locale: the reader's language tag; nil for the catalog's own language.
    package func title(in locale: String? = nil) -> String { titles.text(in: locale) }

    /// The language for a reader who prefers `wanted`, the best first, and refuses `refused`; see
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
