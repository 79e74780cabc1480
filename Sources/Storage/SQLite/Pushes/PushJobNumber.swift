/// The number of a row in the queue of pushes: its device and its notification in one. By it ``PushJobIndex`` finds a
/// job.
///
/// Above the lowest ``bits`` is the device's row, in them the notification's number. Badge pushes are about -1 or -2,
/// and so lie right before their device's first notification. Beyond ``devices`` and ``notifications`` a number would
/// be another device's, or none at all: whoever makes one sees to that.
struct PushJobNumber: Sendable, Hashable, Comparable {
    private static let bits = 34
    /// Of these at most a badge push lies before its device's own numbers.
    static let badges = Int64(PushJobTable.badgePlaces.count)

    /// The rows that a device may have.
    static let devices: ClosedRange<Int64> = 1...(Int64.max >> bits)
    /// The notifications that can be pushed, the upper half being ``PushOnlyNumber``s: an inbox whose own numbers have
    /// come there gets no pushes any more.
    static let notifications: ClosedRange<Int64> = 1...((1 << bits) - 1 - badges)

    let rawValue: Int64

    init(rawValue: Int64) { self.rawValue = rawValue }

    init(device: Int64, notification: Int64) { rawValue = (device << Self.bits) &+ notification }

    var device: Int64 { (rawValue &+ Self.badges) >> Self.bits }
    var notification: Int64 { rawValue &- (device << Self.bits) }

    static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }

    // MARK: In SQL

    /// The number of a row, from two arguments or columns.
    static func of(_ device: String = "?1", _ notification: String = "?2") -> String {
        "((\(device) << \(bits)) + \(notification))"
    }

    /// The notification of a row whose device is known.
    static func notification(of device: String = "?1") -> String { "(number - (\(device) << \(bits)))" }

    /// Whether a row is the device's.
    static func isOf(_ device: String = "?1") -> String {
        "number BETWEEN \(of(device, "-\(badges)")) AND \(of(device, "\(notifications.upperBound)"))"
    }
}
