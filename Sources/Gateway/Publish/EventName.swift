import Inbox

/// Names of events: `evt_`, the time in milliseconds in base 32, and 100 random bits; in the order of time, so that a
/// store keeps them in that order without an index of their own.
enum EventName {
    private static let digits = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
    /// 50 bits: enough until the year 37,000.
    private static let timeDigits = 10

    static func make(at now: Timestamp) -> String {
        let time = UInt64(max(0, now.milliseconds))
        let text = (0..<timeDigits).reversed().map { digits[Int((time >> UInt64(5 * $0)) & 31)] }
        return RandomName.make(prefix: "evt_" + String(decoding: text, as: UTF8.self))
    }
}
