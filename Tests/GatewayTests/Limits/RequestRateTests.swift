import Inbox
import Testing
import WireProtocol

@testable import Gateway

@Suite struct `The rate of requests` {
    private let start = Timestamp(milliseconds: 1_800_000_000_000)

    @Test func `lets as many through as the limit says, and tells when the next ones are served`() {
        let rate = RequestRate(limit: 3)
        for _ in 0..<3 { #expect(rate.refuse(hash: "sarah".hashValue, at: start) == nil) }
        #expect(rate.refuse(hash: "sarah".hashValue, at: start) == 10)
        #expect(rate.refuse(hash: "sarah".hashValue, at: start + .seconds(7)) == 3)
        #expect(rate.refuse(hash: "sarah".hashValue, at: start + .milliseconds(9_999)) == 1)
        #expect(rate.refuse(hash: "sarah".hashValue, at: start + .seconds(10)) == nil)
    }

    @Test func `counts each one apart`() {
        let rate = RequestRate(limit: 3)
        for _ in 0..<100 { _ = rate.refuse(hash: "sarah".hashValue, at: start) }
        let others = (0..<1_000).filter { rate.refuse(hash: "user-\($0)".hashValue, at: start) == nil }
        #expect(others.count == 1_000)
    }

    @Test func `counts addresses apart, by all of their bits`() {
        let rate = RequestRate(limit: 3)
        let addresses = (0..<500).flatMap { number in
            [IPAddress(high: 0, low: 0xFFFF_0000_0000 + number), IPAddress(high: number << 20, low: 0)]
        }
        for _ in 0..<100 { _ = rate.refuse(addresses[7], at: start) }
        #expect(rate.refuse(addresses[7], at: start) == 10)
        #expect(addresses.indices.filter { rate.refuse(addresses[$0], at: start) != nil } == [7])
    }

    @Test func `counts for no one who may come as often as they like`() {
        let rate = RequestRate(limit: 0)
        for _ in 0..<10_000 { #expect(rate.refuse(hash: "sarah".hashValue, at: start) == nil) }
    }

    @Test func `holds for the many who come within one span, and forgets them with it`() {
        let rate = RequestRate(limit: 30)
        for round in 1...3 {
            for user in 0..<10_000 { #expect(rate.refuse(hash: user.hashValue, at: start) == nil, "round \(round)") }
        }
        for user in 0..<10_000 { #expect(rate.refuse(hash: user.hashValue, at: start + .seconds(10)) == nil) }
    }
}

@Suite struct `A table of rates` {
    @Test func `takes the same memory whoever comes`() {
        var table = RateTable(places: 2_048)
        let before = Self.counters(of: table)
        for user in 0..<50_000 { _ = table.count(user.hashValue, in: UInt32(user / 10_000)) }
        // Of eight bytes each: sixteen such tables for users and sixteen for addresses are a mebibyte.
        #expect(before == 4_096 && Self.counters(of: table) == before)
    }

    private static func counters(of table: RateTable) -> Int {
        Mirror(reflecting: table).children.map { Mirror(reflecting: $0.value).children.count }.max() ?? 0
    }

    @Test func `counts in each span from the beginning`() {
        var table = RateTable(places: 4)
        #expect((1...5).map { _ in table.count(7, in: 1) } == [1, 2, 3, 4, 5])
        #expect(table.count(7, in: 2) == 1)
        #expect(table.count(7, in: 1) == 1)
    }

    @Test func `is never too low, and too high only for those who share both places`() {
        var table = RateTable(places: 4)
        let (one, sharingFirst, sharingSecond) = (1 << 32 | 1, 2 << 32 | 1, 1 << 32 | 2)
        for _ in 0..<50 {
            _ = table.count(sharingFirst, in: 1)
        }
        #expect(table.count(one, in: 1) == 1)
        for _ in 0..<50 { _ = table.count(sharingSecond, in: 1) }
        #expect(table.count(one, in: 1) > 1)
        #expect(table.count(3 << 32 | 3, in: 1) == 1)
    }

    @Test func `takes hashes of either sign`() {
        var table = RateTable(places: 2_048)
        for hash in [Int.min, -1, 0, 1, Int.max] { #expect(table.count(hash, in: 9) >= 1) }
    }
}
