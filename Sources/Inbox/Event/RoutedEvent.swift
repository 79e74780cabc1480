/// An event and the catalog's routes from its recipient lists to notification types.
///
/// A class, because the event is passed on until it is stored, and a copy would count a dozen references.
package final class RoutedEvent: Sendable {
    /// A recipient list of the event, and the type that its people get.
    package struct Route: Sendable {
        package let type: NotificationType
        package let list: Event.RecipientList

        package init(type: NotificationType, list: Event.RecipientList) {
            self.type = type
            self.list = list
        }
    }

    package let event: Event
    /// In the catalog's order: the first route that covers a person wins. Empty lists have no route here.
    package let routes: [Route]
    /// The items that the event publishes to feeds.
    package let items: [EventItem]
    /// The lists that no route names.
    package let unrouted: [Event.RecipientList]
    /// Hints for the publisher: a recipient list that no route names, a member that nothing reads.
    package let warnings: [String]

    package init(
        event: Event, routes: [Route], items: [EventItem] = [], unrouted: [Event.RecipientList] = [],
        warnings: [String] = []
    ) {
        self.event = event
        self.routes = routes
        self.items = items
        self.unrouted = unrouted
        self.warnings = warnings
    }
}
