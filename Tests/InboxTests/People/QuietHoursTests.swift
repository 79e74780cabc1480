import Foundation
import Inbox
import JSON
import Support
import Testing

struct QuietHoursTests {
    private static func zone(_ name: String) throws -> TimeZone { try #require(TimeZone(identifier: name)) }

    private static func time(_ text: String) throws -> Timestamp { try #require(Timestamp(iso8601: text)) }

    private static func hours(_ windows: JSONValue...) throws -> QuietHours {
        try QuietHours(["windows": .array(windows)])
    }

    private static let nightly: JSONValue = [
        "days": ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], "from": "22:00", "to": "07:00",
    ]

    /// When the quiet time ends in which this moment lies; nil for a moment that lies in none.
    private static func end(_ hours: QuietHours, _ time: String, _ zone: String) throws -> String? {
        hours.end(at: try self.time(time), in: try self.zone(zone))?.iso8601
    }

    @Test(arguments: [
        ("2025-01-15T20:59:59Z", nil), ("2025-01-15T21:00:00Z", "2025-01-16T06:00:00.000Z"),
        ("2025-01-15T23:30:00Z", "2025-01-16T06:00:00.000Z"), ("2025-01-16T05:59:59.999Z", "2025-01-16T06:00:00.000Z"),
        ("2025-01-16T06:00:00Z", nil), ("2025-07-15T20:00:00Z", "2025-07-16T05:00:00.000Z"),
    ])
    func `a night goes over midnight, by the clocks where the person is`(time: String, end: String?) throws {
        #expect(try Self.end(Self.hours(Self.nightly), time, "Europe/Berlin") == end)
    }

    @Test func `a night belongs to the day on which it begins`() throws {
        let hours = try Self.hours(["days": ["fri"], "from": "22:00", "to": "07:00"])
        // 2025-01-17 is a Friday.
        #expect(try Self.end(hours, "2025-01-17T06:00:00Z", "UTC") == nil)
        #expect(try Self.end(hours, "2025-01-17T23:00:00Z", "UTC") == "2025-01-18T07:00:00.000Z")
        #expect(try Self.end(hours, "2025-01-18T06:59:00Z", "UTC") == "2025-01-18T07:00:00.000Z")
        #expect(try Self.end(hours, "2025-01-18T23:00:00Z", "UTC") == nil)
    }

    @Test(arguments: [
        // Clocks go from 02:00 to 03:00: the night is one hour shorter.
        ("Europe/Berlin", "22:00", "07:00", "2025-03-29T21:00:00Z", "2025-03-30T05:00:00.000Z"),
        // An end that they skip is when they skip it.
        ("Europe/Berlin", "22:00", "02:30", "2025-03-29T22:00:00Z", "2025-03-30T01:00:00.000Z"),
        // So is a beginning.
        ("Europe/Berlin", "02:30", "05:00", "2025-03-30T01:00:00Z", "2025-03-30T03:00:00.000Z"),
        ("America/New_York", "22:00", "02:30", "2025-03-09T06:00:00Z", "2025-03-09T07:00:00.000Z"),
        // Half an hour is skipped.
        ("Australia/Lord_Howe", "22:00", "02:15", "2025-10-04T15:00:00Z", "2025-10-04T15:30:00.000Z"),
    ])
    func `where clocks are put forward`(zone: String, from: String, to: String, time: String, end: String) throws {
        let hours = try Self.hours([
            "days": ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], "from": .string(from), "to": .string(to),
        ])
        #expect(try Self.end(hours, time, zone) == end)
        // The moment before a beginning that is skipped is not quiet yet.
        if from == "02:30" { #expect(try Self.end(hours, "2025-03-30T00:59:59Z", zone) == nil) }
    }

    @Test(arguments: [
        // 02:30 comes twice: the night ends with the second one, and has no gap.
        ("Europe/Berlin", "22:00", "02:30", "2025-10-26T00:15:00Z", "2025-10-26T01:30:00.000Z"),
        ("Europe/Berlin", "22:00", "02:30", "2025-10-26T00:45:00Z", "2025-10-26T01:30:00.000Z"),
        // 02:30 comes twice: the quiet begins with the first one.
        ("Europe/Berlin", "02:30", "05:00", "2025-10-26T00:30:00Z", "2025-10-26T04:00:00.000Z"),
        ("Europe/Berlin", "02:30", "05:00", "2025-10-26T01:00:00Z", "2025-10-26T04:00:00.000Z"),
        ("America/New_York", "00:00", "01:30", "2025-11-02T05:45:00Z", "2025-11-02T06:30:00.000Z"),
        ("Australia/Lord_Howe", "00:00", "01:45", "2025-04-05T14:50:00Z", "2025-04-05T15:15:00.000Z"),
        // Clocks are put back to the end, so they show it a second time.
        ("Europe/Berlin", "22:00", "02:00", "2027-10-30T20:00:00Z", "2027-10-31T01:00:00.000Z"),
        ("Europe/Berlin", "22:00", "02:00", "2027-10-31T00:00:00Z", "2027-10-31T01:00:00.000Z"),
        ("America/Havana", "22:00", "00:00", "2025-11-02T03:30:00Z", "2025-11-02T05:00:00.000Z"),
        // A zone that repeats nearly a whole day.
        ("Pacific/Kwajalein", "22:00", "07:00", "1969-09-30T19:00:00Z", "1969-10-01T19:00:00.000Z"),
    ])
    func `where clocks are put back`(zone: String, from: String, to: String, time: String, end: String) throws {
        let hours = try Self.hours([
            "days": ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], "from": .string(from), "to": .string(to),
        ])
        #expect(try Self.end(hours, time, zone) == end)
    }

    @Test func `windows that touch or overlap are one`() throws {
        let hours = try Self.hours(
            ["days": ["mon"], "from": "20:00", "to": "24:00"], ["days": ["tue"], "from": "00:00", "to": "06:00"],
            ["days": ["tue"], "from": "05:00", "to": "08:00"])
        // 2025-01-13 is a Monday.
        #expect(try Self.end(hours, "2025-01-13T21:00:00Z", "UTC") == "2025-01-14T08:00:00.000Z")
    }

    @Test func `equal times are a whole day`() throws {
        let hours = try Self.hours(["days": ["sat", "sun"], "from": "00:00", "to": "00:00"])
        // 2025-01-18 is a Saturday.
        #expect(try Self.end(hours, "2025-01-18T00:00:00Z", "UTC") == "2025-01-20T00:00:00.000Z")
        #expect(try Self.end(hours, "2025-01-20T00:00:00Z", "UTC") == nil)
    }

    @Test func `a week without a gap has an end beyond it, not none`() throws {
        let hours = try Self.hours([
            "days": ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], "from": "00:00", "to": "24:00",
        ])
        let now = try Self.time("2025-01-18T12:00:00Z")
        let end = try #require(hours.end(at: now, in: .gmt))
        #expect((Duration.seconds(7 * 86_400)...(.seconds(10 * 86_400))).contains(end - now))
    }

    @Test func `without windows nothing is quiet`() throws {
        #expect(QuietHours(windows: []).end(at: Timestamp(milliseconds: 0), in: .gmt) == nil)
    }

    // MARK: Against a clock that is watched minute by minute

    /// Days around the changes of clocks, and days without any.
    @Test(arguments: [
        ("Europe/Berlin", "2025-03-28T12:00:00Z"), ("Europe/Berlin", "2025-10-24T12:00:00Z"),
        ("America/New_York", "2025-03-07T12:00:00Z"), ("America/New_York", "2025-10-31T12:00:00Z"),
        ("Australia/Lord_Howe", "2025-04-03T12:00:00Z"), ("Australia/Lord_Howe", "2025-10-02T12:00:00Z"),
        ("America/Havana", "2025-03-07T12:00:00Z"), ("America/Havana", "2025-10-31T12:00:00Z"),
        ("Asia/Kathmandu", "2025-05-01T12:00:00Z"), ("Pacific/Apia", "2011-12-28T12:00:00Z"),
    ])
    func `agrees with a clock that is watched minute by minute`(zone: String, start: String) throws {
        let watch = WatchedClock(zone: try Self.zone(zone), from: try Self.time(start), days: 6)
        var random = SeededRandom(seed: UInt64(start.utf8.reduce(7) { $0 &* 31 &+ Int($1) } & 0xFFFF))
        for _ in 0..<12 {
            let windows = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                QuietHours.Window(
                    days: Weekdays(rawValue: UInt8.random(in: 1...127, using: &random)),
                    from: Int.random(in: 0..<96, using: &random) * 15, to: Int.random(in: 0...96, using: &random) * 15)
            }
            let hours = QuietHours(windows: windows)
            let ends = watch.ends(windows)
            for (index, time) in watch.times.enumerated() where watch.judges(index, ends[index]) {
                #expect(hours.end(at: time, in: watch.zone) == ends[index], "\(zone) \(time.iso8601) \(windows)")
            }
        }
    }

    @Test(arguments: [("2025-01-15T20:59:59Z", true), ("2025-03-29T22:00:00Z", true), ("2025-01-15T20:59:59Z", false)])
    func `fifty windows that touch are one`(time: String, isWhole: Bool) throws {
        var windows = (0..<50).map { QuietHours.Window(days: .all, from: $0 * 1_440 / 50, to: ($0 + 1) * 1_440 / 50) }
        // The gap is at 12:00.
        if !isWhole { windows.remove(at: 25) }
        let start = try Self.time(time)
        let end = try #require(QuietHours(windows: windows.reversed()).end(at: start, in: Self.zone("Europe/Berlin")))
        if isWhole {
            #expect(end - start >= .seconds(8 * 86_400))
        } else {
            #expect(end.iso8601 == "2025-01-16T11:00:00.000Z")
        }
    }
}

/// A clock that is looked at each minute, for days.
private struct WatchedClock {
    let zone: TimeZone
    let times: [Timestamp]
    /// The clock's readings: minutes since 1970-01-01T00:00 of its own.
    private let readings: [Int]
    /// The latest reading up to each minute, and the earliest one from it on.
    private let latest: [Int]
    private let earliest: [Int]

    init(zone: TimeZone, from start: Timestamp, days: Int) {
        self.zone = zone
        times = (0..<days * 1_440).map { start + .seconds(60 * $0) }
        readings = times.map { time in
            let seconds = time.milliseconds / 1_000
            let date = Date(timeIntervalSince1970: TimeInterval(seconds))
            return (Int(seconds) + zone.secondsFromGMT(for: date)) / 60
        }
        var most = Int.min
        latest = readings.map { reading in
            most = max(most, reading)
            return most
        }
        var least = Int.max
        earliest = readings.reversed().map { reading in
            least = min(least, reading)
            return least
        }.reversed()
    }

    /// Near either end of the watch, what lies outside may matter.
    func judges(_ index: Int, _ end: Timestamp?) -> Bool {
        let range = 2 * 1_440..<times.count - 2 * 1_440
        return range.contains(index) && (end ?? times[index]) < times[range.upperBound]
    }

    /// By minute, when the quiet that holds then ends.
    func ends(_ windows: [QuietHours.Window]) -> [Timestamp?] {
        var isQuiet = Array(repeating: false, count: times.count)
        let days = (earliest[0] / 1_440)...(latest[latest.count - 1] / 1_440)
        for window in windows {
            for day in days where window.days.names.contains(Weekdays.names[(day + 3) % 7]) {
                let from = day * 1_440 + window.from
                let to = day * 1_440 + window.to + (window.to <= window.from ? 1_440 : 0)
                // It has begun once the clock has shown its beginning, and goes on as long as it will show what is
                // before its end.
                for index in times.indices where latest[index] >= from && earliest[index] < to {
                    isQuiet[index] = true
                }
            }
        }
        var ends: [Timestamp?] = []
        var end: Timestamp?
        for index in times.indices.reversed() {
            if !isQuiet[index] { end = nil } else if end == nil { end = times[index] + .seconds(60) }
            ends.append(end)
        }
        return ends.reversed()
    }
}
