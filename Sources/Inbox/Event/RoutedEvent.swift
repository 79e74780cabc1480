/// An event and the routes of its catalog that lead from its recipient lists to notification types.
///
/// By reference: it goes from hand to hand until it is stored, and has a dozen things that copying it would count.
package final class RoutedEvent: Sendable {
    /// A recipient list of the event, and what its people get.
    package struct Route: Sendable {
        package let type: NotificationType
        package let list: Event.RecipientList

        package init(type: NotificationType, list: Event.RecipientList) {
            self.type = type
            self.list = list
        }
    }

    package let event: Event
    /// In the catalog's order: the first one that covers a person wins. None of an empty list.
    package let routes: [Route]
    /// What it publishes to feeds.
    package let items: [EventItem]
    /// The lists that no route names.
    package let unrouted: [Event.RecipientList]
    /// What the publisher should know: a recipient list that no route names, a member that nothing reads.
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
