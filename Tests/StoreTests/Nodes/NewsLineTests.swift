import Support
import Testing

@testable import Cluster

@Suite struct NewsLineTests {
    private var line = NewsLine<Int64>()
    private var lost = 0
    private var looks = 0

    private mutating func lost(afterLookAt head: Int64, isTold: Bool = false) -> Int {
        _ = see(head: head, isTold: isTold)
        return lost
    }

    /// - Parameter look: the number of an earlier look that ends now; nil for one that has begun after all others.
    private mutating func see(
        epoch: String? = "e", head: Int64, isTold: Bool = false, look: Int? = nil
    ) -> Bool {
        if look == nil { looks += 1 }
        let look = NewsLook(number: look ?? looks, isTold: isTold)
        return line.see(epoch: epoch, head: head, look, last: looks, lost: &lost)
    }

    init() { line.open(epoch: "e", at: 3) }

    private mutating func take(_ numbers: Int64...) -> [Int64] {
        var told: [Int64] = []
        for number in numbers { line.take(number, number) { told.append($0) } }
        return told
    }

    @Test mutating func `news in order are handed on at once`() {
        #expect(take(4, 5, 6) == [4, 5, 6])
        #expect(!line.isBehind)
    }

    @Test mutating func `news that came twice, or that sessions have read, are handed on no more`() {
        #expect(take(2, 3, 4, 4, 3) == [4])
    }

    @Test mutating func `news behind a hole wait for the ones in it`() {
        #expect(take(6, 5) == [])
        #expect(line.isBehind)
        #expect(take(4) == [4, 5, 6])
        #expect(!line.isBehind)
    }

    @Test mutating func `a read fills a hole, and what waits behind it follows`() {
        #expect(take(7, 9) == [])
        var told: [Int64] = []
        line.fill([(4, 4), (5, 5), (6, 6), (7, 7)], upTo: 7) { told.append($0) }
        #expect(told == [4, 5, 6, 7])
        #expect(line.isBehind)
        line.fill([(8, 8)], upTo: 8) { told.append($0) }
        #expect(told == [4, 5, 6, 7, 8, 9])
        #expect(!line.isBehind)
    }

    @Test mutating func `a read that is older than what was handed on changes nothing`() {
        #expect(take(4, 5) == [4, 5])
        line.fill([(4, 4)], upTo: 4) { _ in Issue.record("told twice") }
        #expect(take(6) == [6])
    }

    @Test mutating func `a head beyond the last news tells that some are missing`() {
        let isSame = see(head: 5)
        #expect(isSame && line.isBehind)
        #expect(take(4, 5) == [4, 5])
        #expect(!line.isBehind)
    }

    @Test mutating func `news that a look has found, and nobody has told of until the next look, are a lost message`() {
        #expect(lost(afterLookAt: 4) == 0)
        line.fill([(4, 4)], upTo: 4) { _ in }
        #expect(lost(afterLookAt: 4) == 1)
        #expect(lost(afterLookAt: 4) == 1)
        // One of two messages has come, and whoever hears it looks for both.
        #expect(lost(afterLookAt: 6) == 1)
        #expect(take(6) == [])
        #expect(lost(afterLookAt: 6) == 1)
    }

    @Test mutating func `a message that comes after a look is late and not lost, and neither is one that says to look`()
    {
        #expect(lost(afterLookAt: 4) == 0)
        #expect(take(4) == [4])
        #expect(lost(afterLookAt: 4) == 0)
        #expect(lost(afterLookAt: 5) == 0)
        #expect(lost(afterLookAt: 5, isTold: true) == 0)
        #expect(lost(afterLookAt: 5) == 0)
        #expect(take(5, 6) == [5, 6])
        for _ in 0..<3 { #expect(lost(afterLookAt: 6) == 0) }
    }

    @Test(arguments: ["e", "f", nil])
    mutating func `another epoch, or a head that has gone back, ends the line once a later look finds it, too`(
        epoch: String?
    ) {
        let isSameAtFirst = see(epoch: epoch, head: 2)
        let isSameLater = see(epoch: epoch, head: 2)
        #expect(isSameAtFirst && !isSameLater)
    }

    @Test mutating func `a look that has read before news came says nothing about them`() {
        looks = 3
        #expect(take(4, 5) == [4, 5])
        // Three of them end one after the other, the last one first.
        for look in [3, 1, 2] {
            let isSame = see(head: Int64(look) + 1, look: look)
            #expect(isSame)
        }
        // One that has begun after them must find 5, but 6 came while it read.
        #expect(take(6) == [6])
        let isSame = see(head: 5)
        #expect(isSame)
        let hasGoneBack = !see(head: 5)
        #expect(hasGoneBack)
    }

    @Test mutating func `more early news than it keeps are read instead`() {
        for number in 10..<200 { #expect(take(Int64(number)) == []) }
        var told: [Int64] = []
        line.fill((4..<200).map { ($0, $0) }, upTo: 199) { told.append($0) }
        #expect(told == Array(4..<200))
        #expect(!line.isBehind)
    }

    @Test func `news before the opening are told by the read that opens, or are missing`() {
        var line = NewsLine<Int64>()
        line.take(8, 8) { _ in Issue.record("told before the opening") }
        #expect(!line.isBehind)
        line.open(epoch: nil, at: 7)
        #expect(line.isBehind)
    }

    @Test(arguments: 0..<50) func `in whatever order news come, each is handed on once, in order`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var line = NewsLine<Int64>()
        var told: [Int64] = []
        var (head, sent, lost): (Int64, [Int64], Int) = (0, [], 0)
        // Looks under way, with what each has read.
        var (looks, reading): (Int, [(look: NewsLook, head: Int64)]) = (0, [])
        line.open(epoch: "e", at: 0)
        for _ in 0..<400 {
            switch Int.random(in: 0..<9, using: &random) {
            case 8:
                looks += 1
                reading.append((NewsLook(number: looks, isTold: false), head))
            case 0...3:
                head += 1
                // Some are lost on their way.
                if Int.random(in: 0..<5, using: &random) > 0 { sent.append(head) }
            case 4...6:
                guard let number = sent.randomElement(using: &random) else { continue }
                if Bool.random(using: &random) { sent.removeAll { $0 == number } }
                line.take(number, number) { told.append($0) }
            default:
                guard let place = reading.indices.randomElement(using: &random) else { continue }
                let found = reading.remove(at: place)
                let isSame = line.see(epoch: "e", head: found.head, found.look, last: looks, lost: &lost)
                #expect(isSame)
                guard line.isBehind, let after = line.told else { continue }
                let end = Int64.random(in: after...head, using: &random)
                line.fill((after..<end).map { ($0 + 1, $0 + 1) }, upTo: end) { told.append($0) }
            }
        }
        #expect(told == Array(1..<(Int64(told.count) + 1)))
        let after = line.told ?? 0
        #expect(after == Int64(told.count))
        line.fill((after..<head).map { ($0 + 1, $0 + 1) }, upTo: head) { told.append($0) }
        #expect(told == Array(1..<(head + 1)))
    }
}
