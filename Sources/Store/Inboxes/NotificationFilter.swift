/// The notifications of an inbox to list; all given conditions must hold.
package struct NotificationFilter: Sendable, Hashable {
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
