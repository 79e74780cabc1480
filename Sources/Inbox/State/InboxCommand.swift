/// A person's action on their own inbox.
package enum InboxCommand: Sendable, Hashable {
    case read(InboxChange.Selection)
    /// All notifications of this group.
    case readGroup(String)
    case seen(upTo: Int64)
    /// Removing up to the current `seq` clears the inbox.
    case remove(InboxChange.Selection)
}
