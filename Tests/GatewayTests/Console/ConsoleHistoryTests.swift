import JSON
import Store
import Testing

@testable import Gateway

struct ConsoleHistoryTests {
    private func json(_ history: ConsoleHistory, _ names: [String] = ["a"]) throws -> JSONValue {
        var writer = JSONWriter()
        writer.object { history.write(names, to: &$0) }
        return try JSONValue(parsing: writer.bytes)
    }

    @Test func `nothing is told before the first sample`() throws {
        #expect(try json(ConsoleHistory(width: 1)) == ["from": .null, "columns": [:]])
    }

    @Test func `samples stand in order, and missed seconds have no numbers`() throws {
        var history = ConsoleHistory(width: 2)
        history.append([1, 0.1234], second: 100)
        history.append([2, .nan], second: 103)
        let columns: JSONValue = ["a": [1, .null, .null, 2], "b": [.double(0.123), .null, .null, .null]]
        #expect(try json(history, ["a", "b"]) == ["from": 100, "columns": columns])
    }

    @Test func `a second sample of the same second takes the place of the first`() throws {
        var history = ConsoleHistory(width: 1)
        history.append([1], second: 100)
        history.append([2], second: 100)
        #expect(try json(history) == ["from": 100, "columns": ["a": [2]]])
    }

    @Test func `an hour is kept, and no more`() throws {
        var history = ConsoleHistory(width: 1)
        for second in 0..<5_000 { history.append([Float(second)], second: Int64(second)) }
        let told = try json(history)
        #expect(told.at(["from"]) == 1_400)
        let values = try #require(told.at(["columns", "a"])?.array)
        #expect(values.count == 3_600)
        #expect(values.first == 1_400)
        #expect(values.last == 4_999)
    }

    @Test func `a gap of more than an hour leaves nothing of before`() throws {
        var history = ConsoleHistory(width: 1)
        history.append([1], second: 100)
        history.append([2], second: 10_000)
        let values = try #require(try json(history).at(["columns", "a"])?.array)
        #expect(values.count { $0 != .null } == 1)
        #expect(values.last == 2)
    }

    @Test func `after the clock was set back the history begins anew`() throws {
        var history = ConsoleHistory(width: 1)
        history.append([1], second: 10_000)
        history.append([2], second: 9_000)
        #expect(try json(history) == ["from": 9_000, "columns": ["a": [2]]])
    }

    @Test func `rates are of the time between two readings, and percentiles of what came in it`() {
        var earlier = ConsoleReading()
        earlier.framesSent = 100
        earlier.commits = 10
        earlier.changes = 10
        earlier.publishes.record(.seconds(2))
        earlier.cpuSeconds = 1
        var later = earlier
        later.sessions = 7
        later.framesSent = 300
        later.commits = 14
        later.changes = 30
        for _ in 0..<100 { later.publishes.record(.microseconds(1_500)) }
        later.cpuSeconds = 1.5
        let sample = later.sample(since: earlier, seconds: 2)
        let names = ConsoleColumns(providers: []).names
        #expect(sample.count == names.count)
        let values = Dictionary(uniqueKeysWithValues: zip(names, sample))
        #expect(values["sessions"] == 7)
        #expect(values["framesSent"] == 100)
        #expect(values["commits"] == 2)
        #expect(values["groupSize"] == 5)
        #expect(values["cpu"] == 25)
        // Between 1 and 2.5 ms, as the buckets tell.
        #expect(values["publishP50"] == 1.75)
        #expect(values["publishP99"].map { $0 > 2.4 && $0 <= 2.5 } == true)
        #expect(values["commitP50"]?.isNaN == true)
        #expect(values["memory"]?.isNaN == true)
    }

    @Test func `each provider has as many values as names`() {
        var reading = ConsoleReading()
        reading.providers = ["apns", "fcm"].map {
            ConsoleReading.Provider(name: $0, queue: nil, verdicts: [1, 2, 3, 4], expired: 5)
        }
        let sample = reading.sample(since: reading, seconds: 1)
        #expect(sample.count == ConsoleColumns(providers: ["apns", "fcm"]).names.count)
    }
}
