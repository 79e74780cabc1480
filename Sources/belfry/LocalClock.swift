import Foundation
import Inbox

/// Writes times as clocks here show them: `2026-07-04 15:02:44.161`.
struct LocalClock {
    var zone = TimeZone.current

    /// What is no time stays as it is.
    func text(_ iso8601: String) -> String {
        guard let time = Timestamp(iso8601: iso8601) else { return iso8601 }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let date = Date(timeIntervalSince1970: Double(time.milliseconds) / 1_000)
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
        let milliseconds = (time.milliseconds % 1_000 + 1_000) % 1_000
        func padded(_ number: Int?, _ width: Int) -> String {
            let digits = String(number ?? 0)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(padded(parts.year, 4))-\(padded(parts.month, 2))-\(padded(parts.day, 2)) "
            + "\(padded(parts.hour, 2)):\(padded(parts.minute, 2)):\(padded(parts.second, 2))"
            + ".\(padded(Int(milliseconds), 3))"
    }
}
