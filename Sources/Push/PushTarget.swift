package import Inbox

/// The user and device of a push.
///
/// A class, because a device has dozens of parts, and each push would count them one by one, on several threads at
/// once.
package final class PushTarget: Sendable {
    package let user: UserID
    package let device: Device

    package init(user: UserID, device: Device) {
        self.user = user
        self.device = device
    }
}
