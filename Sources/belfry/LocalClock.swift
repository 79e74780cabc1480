import Foundation
import Inbox

/// Writes times in the local zone: `2026-07-04 15:02:44.161`.
struct LocalClock {
    var zone = TimeZone.current

    /// Leaves text that is no time unchanged.
    func text(_ iso8601: String) -> String {
        guard let time = Timestamp(iso8601: iso8601) else { return iso8601 }
        // Foundation's calendar would count the years before 1582 by the Julian one.
        let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(time.milliseconds) / 1_000))
        let shown = (time + .seconds(offset)).iso8601
        return String(shown.dropLast()).replacing("T", with: " ")
    }
}
