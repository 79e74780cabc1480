import Inbox

/// The pushes on a device's screen, as far as we know: accepted ones of notifications that are still unread.
package struct DeviceScreen {
    /// The collapse ids that are not the notifications' own.
    private let collapses: Set<ExactText>
    /// The notifications that are shown under their own ids.
    private let own: Set<Int64>

    /// - Parameter shown: the notifications on the screen, each with its collapse id if that is not its own.
    package init(_ shown: [(notification: Int64, collapse: String?)] = []) {
        collapses = Set(shown.compactMap { $0.collapse.map { ExactText($0) } })
        own = Set(shown.lazy.filter { $0.collapse == nil }.map(\.notification))
    }

    /// Whether anything is shown under this collapse id, a notification with this own id included.
    package func shows(_ collapse: String) -> Bool {
        collapses.contains(ExactText(collapse)) || NotificationID(collapse).map { own.contains($0.sequence) } ?? false
    }
}
