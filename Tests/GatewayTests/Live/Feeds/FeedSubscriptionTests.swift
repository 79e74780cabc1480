import Support
import Testing
import Transport

@testable import Gateway

struct FeedSubscriptionTests {
    /// A subscription and what its reader was told.
    struct Reader {
        private(set) var subscription: FeedSubscription
        /// Offsets of frames and of gaps, in order.
        private(set) var told: [Int64] = []
        private(set) var gaps: [FoldingGate.Gap] = []
        private(set) var queuedBytes = 0
        private var frames: [ObjectIdentifier: (offset: Int64, frame: OutgoingMessage)] = [:]

        private let maximumQueuedBytes: Int
        /// Whether the subscription hears of every item, or only of items for which it is not in step.
        private let hearsAll: Bool

        init(maximumQueuedBytes: Int, hearsAll: Bool = true) {
            subscription = FeedSubscription(catchUp: 1, maximumQueuedBytes: maximumQueuedBytes)
            self.maximumQueuedBytes = maximumQueuedBytes
            self.hearsAll = hearsAll
        }

        mutating func deliver(_ offset: Int64) {
            let frame = OutgoingMessage(text: [UInt8](repeating: 0x20, count: 90))
            frames[ObjectIdentifier(frame)] = (offset, frame)
            let isLeftOut = !hearsAll && queuedBytes == 0 && subscription.isInStep(after: offset - 1)
            guard isLeftOut || deliver(offset, frame) else { return }
            told.append(offset)
            queuedBytes += frame.byteCount
        }

        private mutating func deliver(_ offset: Int64, _ frame: OutgoingMessage) -> Bool {
            subscription.deliver(
                offset: offset, frame: frame, queuedBytes: queuedBytes, maximumQueuedBytes: maximumQueuedBytes)
        }

        /// The catch-up was read: the items after `known` up to `head`, then what was held.
        mutating func loaded(from known: Int64, to head: Int64) {
            if head > known { told += (known + 1)...head }
            for frame in subscription.loaded(head: head) {
                told.append(frames[ObjectIdentifier(frame)]?.offset ?? 0)
                queuedBytes += frame.byteCount
            }
        }

        /// The catch-up was read, and the reader had enough by then.
        mutating func leaveOut(from first: Int64, upTo head: Int64) {
            subscription.leaveOut(from: first, upTo: head)
        }

        mutating func take() {
            queuedBytes = 0
            guard let gap = subscription.drained() else { return }
            gaps.append(gap)
            told += gap.from...gap.to
        }
    }

    @Test func `items that come while the catch-up is read follow it once`() {
        var reader = Reader(maximumQueuedBytes: 10_000)
        for offset in 3...6 { reader.deliver(Int64(offset)) }
        #expect(reader.told.isEmpty)
        reader.loaded(from: 1, to: 4)
        reader.deliver(6)
        reader.deliver(7)
        #expect(reader.told == [2, 3, 4, 5, 6, 7])
    }

    @Test
    func
        `items that come while the catch-up is read take no more bytes than a slow reader's queue, and then become a gap`()
    {
        var reader = Reader(maximumQueuedBytes: 1_000)
        for offset in 1...100 { reader.deliver(Int64(offset)) }
        reader.loaded(from: 0, to: 0)
        // A frame of 90 bytes is 92 long.
        #expect(reader.told == Array(1...10))
        reader.take()
        #expect(reader.gaps == [.init(from: 11, to: 100, unread: 0)])
    }

    @Test func `an item that is longer than a reader's queue is held if it is the first`() {
        var reader = Reader(maximumQueuedBytes: 10)
        for offset in 1...3 { reader.deliver(Int64(offset)) }
        reader.loaded(from: 0, to: 0)
        #expect(reader.told == [1])
    }

    @Test func `a slow reader's items become a gap`() {
        var reader = Reader(maximumQueuedBytes: 250)
        reader.loaded(from: 0, to: 0)
        for offset in 1...8 { reader.deliver(Int64(offset)) }
        #expect(reader.told == [1, 2])
        #expect(reader.subscription.isBehind)
        reader.take()
        #expect(reader.gaps == [FoldingGate.Gap(from: 3, to: 8, unread: 0)])
        reader.deliver(9)
        #expect(reader.told == Array(1...9))
    }

    @Test func `more held items than fit become a gap, told behind the catch-up and the held ones`() {
        var reader = Reader(maximumQueuedBytes: 1_000_000)
        for offset in 1...600 { reader.deliver(Int64(offset)) }
        reader.take()
        #expect(reader.told.isEmpty)
        reader.loaded(from: 0, to: 0)
        reader.take()
        #expect(reader.gaps == [FoldingGate.Gap(from: 513, to: 600, unread: 0)])
        #expect(reader.told == Array(1...600))
    }

    @Test(arguments: [550, 600, 650]) func `items that the catch-up covers are in no gap`(_ head: Int64) {
        var reader = Reader(maximumQueuedBytes: 1_000_000)
        for offset in 1...600 { reader.deliver(Int64(offset)) }
        reader.loaded(from: 0, to: head)
        reader.take()
        for offset in 601...700 { reader.deliver(Int64(offset)) }
        #expect(reader.told == Array(1...700))
    }

    @Test(arguments: [0, 3, 600]) func `a catch-up that is left out becomes a gap, with what came meanwhile`(
        _ held: Int64
    ) {
        var reader = Reader(maximumQueuedBytes: 1_000)
        for offset in 0..<held { reader.deliver(4 + offset) }
        reader.leaveOut(from: 2, upTo: 5)
        let last = max(5, 3 + held)
        reader.deliver(last + 1)
        #expect(reader.told.isEmpty && reader.subscription.isBehind)
        reader.take()
        #expect(reader.gaps == [FoldingGate.Gap(from: 2, to: last + 1, unread: 0)])
        reader.deliver(last + 2)
        #expect(reader.told == Array(2...(last + 2)))
    }

    @Test func `a subscription is in step once it is told of each item as it comes`() {
        var reader = Reader(maximumQueuedBytes: 250)
        #expect(!reader.subscription.isInStep(after: 9))
        reader.loaded(from: 0, to: 3)
        #expect([2, 3, 4].map(reader.subscription.isInStep) == [false, true, true])
        for offset in 4...8 { reader.deliver(Int64(offset)) }
        #expect(!reader.subscription.isInStep(after: 8))
        reader.take()
        #expect(reader.subscription.isInStep(after: 8))
    }

    @Test func `a subscription waits for its own catch-up and no other, until it has come`() {
        var subscription = FeedSubscription(catchUp: 7, maximumQueuedBytes: 250)
        #expect([6, 7, 8].map(subscription.awaits) == [false, true, false])
        _ = subscription.loaded(head: 3)
        #expect(!subscription.awaits(catchUp: 7))
    }

    @Test(arguments: 0..<200 as Range<UInt64>, [true, false])
    func `every item is told once, by a frame or inside a gap, in order`(seed: UInt64, hearsAll: Bool) {
        var random = SeededRandom(seed: seed)
        var reader = Reader(
            maximumQueuedBytes: [1, 500, 1_000_000].randomElement(using: &random) ?? 1, hearsAll: hearsAll)
        let burst = Bool.random(using: &random) ? 4 : 300
        var head = Int64.random(in: 0...20, using: &random)
        let known = Int64.random(in: 0...head, using: &random)
        var delivered = head - .random(in: 0...min(3, head), using: &random)
        var read: Int64?
        var isLoaded = false
        for _ in 0..<60 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0...1: head += Int64.random(in: 1...Int64(burst), using: &random)
            case 2...4:
                let end = min(head, delivered + Int64.random(in: 1...Int64(burst), using: &random))
                while delivered < end {
                    delivered += 1
                    reader.deliver(delivered)
                }
            case 5: reader.take()
            default:
                if let read, !isLoaded {
                    reader.loaded(from: known, to: read)
                    isLoaded = true
                }
                read = read ?? head
            }
        }
        if !isLoaded { reader.loaded(from: known, to: read ?? head) }
        while delivered < head {
            delivered += 1
            reader.deliver(delivered)
        }
        reader.take()
        #expect(reader.told == Array((known + 1)..<(head + 1)))
        #expect(!reader.subscription.isBehind)
    }
}
