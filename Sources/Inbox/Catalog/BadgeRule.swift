/// What an app's icon counts.
package enum BadgeRule: String, Sendable, Hashable, CaseIterable {
    /// Notifications that were not read.
    case unread
    /// Notifications that came since the list was last looked at.
    case unseen
    /// 1 if anything is unread, else 0.
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
