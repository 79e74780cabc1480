import Deliveries

extension PushJobNumber {
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
