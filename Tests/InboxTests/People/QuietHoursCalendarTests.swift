import Foundation
import Inbox
import Testing

/// Quiet hours against an independent calendar: Python's zoneinfo, as `Tests/Calendar/quiet_hours.py` has written it
/// down.
struct QuietHoursCalendarTests {
    /// One window in one zone, and the moments that were asked about it.
    struct Case: CustomStringConvertible {
        let zone: String
        let window: QuietHours.Window
        /// How many milliseconds after each moment the quiet ends; nil for a moment outside of it.
        let waits: [(moment: Timestamp, wait: Int64?)]

        var description: String { "\(zone) \(window)" }

        init?(_ line: Substring) {
            let fields = line.split(separator: "\t")
            guard fields.count > 4, let days = UInt8(fields[1]), let from = Int(fields[2]), let to = Int(fields[3])
            else { return nil }
            zone = String(fields[0])
            window = QuietHours.Window(days: Weekdays(rawValue: days), from: from, to: to)
            waits = fields[4...].compactMap { field in
                let parts = field.split(separator: "=")
                guard parts.count == 2, let moment = Int64(parts[0]) else { return nil }
                return (Timestamp(milliseconds: moment), Int64(parts[1]))
            }
        }
    }

    private static let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Calendar/quiet_hours.tsv")

    @Test func `they end when an independent calendar says, in every zone and where its clocks are changed`() throws {
        let lines = try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n")
        let cases = lines.compactMap(Case.init)
        #expect(cases.count == lines.count)
        #expect(cases.reduce(0) { $0 + $1.waits.count } > 10_000)
        #expect(Set(cases.map(\.zone)).count > 590)
        for one in cases {
            let zone = try #require(TimeZone(identifier: one.zone), "\(one.zone)")
            let hours = QuietHours(windows: [one.window])
            for (moment, wait) in one.waits {
                let found = hours.end(at: moment, in: zone).map { $0.milliseconds - moment.milliseconds }
                if found != wait { Issue.record("\(one) at \(moment.iso8601): \(found ?? -1), not \(wait ?? -1)") }
            }
        }
    }
}
