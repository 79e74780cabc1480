/// The number that an app's icon shows.
package enum BadgeRule: String, Sendable, Hashable, CaseIterable {
    /// Unread notifications.
    case unread
    /// Notifications that came since the person last looked at the list.
    case unseen
    /// 1 while anything is unread, else 0.
    case boolean

    /// The number on the icon of an inbox with these counts.
    package func number(of state: InboxState) -> Int64 {
        switch self {
        case .unread: state.unread
        case .unseen: state.unseen
        case .boolean: state.unread > 0 ? 1 : 0
        }
    }
}
