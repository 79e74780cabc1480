import Inbox

/// Ids of events: `evt_`, the time in milliseconds in base 32, and 100 random bits. They are in the order of time, so a
/// store keeps events in that order without another index.
enum EventName {
    private static let prefix: StaticString = "evt_"
    /// 50 bits: enough until the year 37,000.
    private static let timeDigits = 10
    private static let digitsPerWord = 10

    /// - Parameter chance: 50 random bits each.
    static func make(at now: Timestamp, chance: (UInt64, UInt64)) -> String {
        String(unsafeUninitializedCapacity: prefix.utf8CodeUnitCount + timeDigits + 2 * digitsPerWord) { name in
            var end = 0
            for octet in UnsafeBufferPointer(start: prefix.utf8Start, count: prefix.utf8CodeUnitCount) {
                name[end] = octet
                end += 1
            }
            let time = UInt64(max(0, now.milliseconds))
            for (word, digits) in [(time, timeDigits), (chance.0, digitsPerWord), (chance.1, digitsPerWord)] {
                for place in (0..<digits).reversed() {
                    name[end] = RandomName.digit(of: word >> UInt64(5 * place))
                    end += 1
                }
            }
            return end
        }
    }
}
