import Inbox
import Push

/// A device as the writer remembers it from one push to the next.
struct KnownDevice: Sendable {
    let row: Int64
    let inbox: Int64
    let target: PushTarget
    /// As in ``DeviceRecord``.
    var badge: DeviceRecord.Badge?

    var user: UserID { target.user }
    var device: Device { target.device }
}
