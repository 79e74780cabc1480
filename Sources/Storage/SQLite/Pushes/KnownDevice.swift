import Inbox
import Push

/// A device as the writer remembers it from one push to the next.
struct KnownDevice: Sendable {
    /// What only a registration changes; by reference, so that taking it out of the memory copies nothing.
    final class Registration: Sendable {
        let row: Int64
        let inbox: Int64
        let user: UserID
        let device: Device

        init(row: Int64, inbox: Int64, user: UserID, device: Device) {
            self.row = row
            self.inbox = inbox
            self.user = user
            self.device = device
        }
    }

    let registration: Registration
    /// As in ``DeviceRecord``.
    var badge: DeviceRecord.Badge?

    var row: Int64 { registration.row }
    var inbox: Int64 { registration.inbox }
    var user: UserID { registration.user }
    var device: Device { registration.device }
}
