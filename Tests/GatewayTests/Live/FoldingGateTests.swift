import Testing

@testable import Gateway

struct FoldingGateTests {
    @Test func `frames pass while there is room for them`() {
        var gate = FoldingGate(maximumQueuedBytes: 100)
        #expect(gate.admits(seq: 1, unread: 1, bytes: 60, queuedBytes: 0) == true)
        #expect(gate.admits(seq: 2, unread: 2, bytes: 40, queuedBytes: 60) == true)
        #expect(gate.drained() == nil)
    }

    @Test func `a frame that is larger than the room passes when nothing waits`() {
        var gate = FoldingGate(maximumQueuedBytes: 100)
        #expect(gate.admits(seq: 1, unread: 1, bytes: 5_000, queuedBytes: 0) == true)
        #expect(gate.admits(seq: 2, unread: 2, bytes: 1, queuedBytes: 5_000) == false)
    }

    @Test func `a change that does not fit opens a gap, which takes in all others until the reader caught up`() {
        var gate = FoldingGate(maximumQueuedBytes: 100)
        #expect(gate.admits(seq: 5, unread: 3, bytes: 50, queuedBytes: 51) == false)
        #expect(gate.admits(seq: 6, unread: 4, bytes: 1, queuedBytes: 0) == false)
        gate.fold(seq: 7, unread: 2)
        #expect(gate.gap == FoldingGate.Gap(from: 5, to: 7, unread: 2))
        #expect(gate.drained() == FoldingGate.Gap(from: 5, to: 7, unread: 2))
        #expect(gate.drained() == nil)
        #expect(gate.admits(seq: 8, unread: 3, bytes: 1, queuedBytes: 0) == true)
    }

    static let covered: [(Int64, FoldingGate.Gap?)] = [
        (4, FoldingGate.Gap(from: 5, to: 7, unread: 2)), (5, FoldingGate.Gap(from: 6, to: 7, unread: 2)),
        (6, FoldingGate.Gap(from: 7, to: 7, unread: 2)), (7, nil), (9, nil),
    ]

    @Test(arguments: covered)
    func `changes that reached the reader another way leave the gap`(_ seq: Int64, _ rest: FoldingGate.Gap?) {
        var gate = FoldingGate(maximumQueuedBytes: 100)
        gate.cover(upTo: seq)
        for seq in 5...7 { gate.fold(seq: Int64(seq), unread: 2) }
        gate.cover(upTo: seq)
        #expect(gate.gap == rest)
    }
}
