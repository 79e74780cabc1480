/// The number of a row in the queue of pushes: its device and its notification in one. See ``PushJobIndex``.
///
/// The lowest ``bits`` hold the notification's number, the bits above them the device's row. Badge pushes have the
/// numbers -1 and -2, so they lie right before their device's first notification. The caller keeps within ``devices``
/// and ``notifications``: beyond, a number would mean another device, or none.
package struct PushJobNumber: Sendable, Hashable, Comparable {
    /// Of the notification.
    package static let bits = 34
    /// Stand for a notification in the name of a badge push: while one is on its way, the next one gathers.
    package static let badgePlaces: [Int64] = [-1, -2]
    /// How many badge pushes lie before a device's own numbers at most.
    package static let badges = Int64(badgePlaces.count)

    /// The rows that a device may have.
    package static let devices: ClosedRange<Int64> = 1...(Int64.max >> bits)
    /// The notifications that can be pushed; the upper half are ``PushOnlyNumber``s. An inbox whose own numbers reach
    /// that half gets no more pushes.
    package static let notifications: ClosedRange<Int64> = 1...((1 << bits) - 1 - badges)

    package let rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }

    package init(device: Int64, notification: Int64) { rawValue = (device << Self.bits) &+ notification }

    package var device: Int64 { (rawValue &+ Self.badges) >> Self.bits }
    package var notification: Int64 { rawValue &- (device << Self.bits) }

    package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}
