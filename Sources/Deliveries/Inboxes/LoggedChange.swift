package import Inbox

/// A row of `change`: a change that the notification's own row cannot tell.
package enum LoggedChange: Hashable {
    /// The notification with this number grew.
    case update(Int64)
    /// The notification with this number grew and came up in the list, from this place.
    case raised(Int64, from: Int64)
    case read(InboxChange.Selection)
    case seen(upTo: Int64)
    case removed(InboxChange.Selection)
    /// Stands for the row of a removed notification that came at this `seq`, so that no `seq` is missing.
    case gone
}
