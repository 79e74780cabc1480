/// Which notifications of an inbox to list. All that is given has to hold.
///
/// Looks at the newest ``window`` rows of the inbox and at no others: a bound for the work of one request.
package struct NotificationFilter: Sendable, Hashable {
    /// How many rows are looked at, from the newest one on.
    package static let window = 1_000

    package var unreadOnly: Bool
    /// Only notifications of this group.
    package var group: String?
    /// Only notifications of these types.
    package var types: Set<String>?

    package init(unreadOnly: Bool = false, group: String? = nil, types: Set<String>? = nil) {
        self.unreadOnly = unreadOnly
        self.group = group
        self.types = types
    }
}
