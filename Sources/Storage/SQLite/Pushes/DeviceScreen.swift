import Inbox

/// What is on a device's screen, as far as we know: accepted pushes of notifications that are still to be read.
struct DeviceScreen {
    /// The collapse ids under which some are, where those are not their own.
    private let collapses: Set<ExactText>
    /// Those that are shown under their own ids.
    private let own: Set<Int64>

    /// - Parameter shown: the notifications that are, and their collapse ids, where those are not their own.
    init(_ shown: [(notification: Int64, collapse: String?)] = []) {
        collapses = Set(shown.compactMap { $0.collapse.map { ExactText($0) } })
        own = Set(shown.lazy.filter { $0.collapse == nil }.map(\.notification))
    }

    /// Whether something is there under this collapse id: also a notification whose own id it is.
    func shows(_ collapse: String) -> Bool {
        collapses.contains(ExactText(collapse)) || NotificationID(collapse).map { own.contains($0.sequence) } ?? false
    }
}
