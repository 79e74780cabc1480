package import Inbox

/// Ids of webhooks: `msg_`, the time in milliseconds in base 32, and random digits. They are in the order of time, so
/// that old ones are found without another index.
package enum WebhookID {
    private static let prefix = "msg_"
    private static let digits = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
    /// 50 bits: enough until the year 37,000.
    private static let timeDigits = 10
    private static let chanceDigits = 16

    /// - Parameter chance: 80 random bits.
    package static func make(at time: Timestamp, chance: (UInt64, UInt16)) -> String {
        var bits = chance.0
        var text = start(at: time)
        for place in 0..<chanceDigits {
            if place == 12 { bits = bits | UInt64(chance.1) << 4 }
            text.unicodeScalars.append(Unicode.Scalar(digits[Int(bits & 31)]))
            bits >>= 5
        }
        return text
    }

    /// The text that no id of this time or later is less than, octet by octet.
    package static func start(at time: Timestamp) -> String {
        let time = UInt64(max(0, time.milliseconds))
        let octets = (0..<timeDigits).reversed().map { digits[Int(time >> UInt64(5 * $0) & 31)] }
        return prefix + String(decoding: octets, as: UTF8.self)
    }
}
