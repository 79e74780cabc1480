import Foundation
import Inbox
import JSON
import Testing

/// Dates against an independent calendar: Python's datetime, as `Tests/Calendar/dates.py` has written it down.
struct CalendarDateTests {
    private static let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../Calendar/dates.tsv")

    private func moments() throws -> [(time: Timestamp, text: String)] {
        let lines = try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n")
        let moments = lines.compactMap { line in
            let fields = line.split(separator: "\t")
            return Int64(fields[0]).map { (time: Timestamp(milliseconds: $0), text: String(fields[1])) }
        }
        #expect(moments.count == lines.count && moments.count > 900)
        return moments
    }

    @Test func `moments of all years are written and read as an independent calendar does`() throws {
        for (time, text) in try moments() where time.iso8601 != text || Timestamp(iso8601: text) != time {
            Issue.record("\(time.iso8601), not \(text)")
        }
    }

    @Test func `texts show the dates of all years by the same calendar`() throws {
        let catalog = try Catalog(
            yaml: """
                catalog: golf
                locale: en
                events: {moved: {data: [startsAt], routes: [{to: members, type: MOVED}]}}
                types: {MOVED: {text: "{{date}}", times: {date: {path: startsAt, format: yMMdd}}}}
                """, file: "golf.yaml")
        for (_, text) in try moments() {
            let event = Event(
                type: "moved", to: [.init(name: "members", users: Rooms.users("u"))], data: ["startsAt": .string(text)])
            let shown = try catalog.content(event).displayText
            let parts = text.prefix(10).split(separator: "-")
            // Without zeros in front of a year.
            let expected = "\(parts[1])/\(parts[2])/\(Int(parts[0]) ?? 0)"
            if shown != expected { Issue.record("\(shown), not \(expected)") }
        }
    }
}
