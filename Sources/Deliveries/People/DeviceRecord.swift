package import Inbox
package import Push

/// One row of `device`.
package struct DeviceRecord {
    /// The number on an app's icon, as far as we know.
    package struct Badge: Hashable {
        /// Set by the last push that the provider accepted.
        package var number: Int64
        /// The rule by which that push counted.
        package var rule: BadgeRule

        package init(number: Int64, rule: BadgeRule) {
            (self.number, self.rule) = (number, rule)
        }
    }

    package let row: Int64
    package let inbox: Int64
    package let device: Device
    /// Nil until a push was accepted.
    package let badge: Badge?
    /// Whether the row is damaged: nothing is pushed to the device until it registers again.
    package let isDamaged: Bool

    /// Whether a silent push may correct the icon. A device that refuses notifications has no number on its icon
    /// either.
    package var takesBadgePushes: Bool {
        !isDamaged && device.provider.takesSilentPushes && device.permission != .denied && !device.awaitsToken
    }

    /// One as its row has it.
    package init(row: Int64, inbox: Int64, device: Device, badge: Badge?, isDamaged: Bool) {
        (self.row, self.inbox, self.device, self.badge) = (row, inbox, device, badge)
        self.isDamaged = isDamaged
    }
}
