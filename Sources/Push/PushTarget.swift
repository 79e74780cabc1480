package import Inbox

/// Whose device a push goes to.
///
/// By reference: a device has dozens of parts, and each push to it would count them one by one, on several threads at
/// once.
package final class PushTarget: Sendable {
    package let user: UserID
    package let device: Device

    package init(user: UserID, device: Device) {
        self.user = user
        self.device = device
    }
}
