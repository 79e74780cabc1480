import Inbox
import Testing

@testable import SQLiteStore
@testable import Store

struct RememberedStateTests {
    private static let largest: Int64 = 1 << 17 - 1

    private func state(seq: Int64 = 1, unread: Int64 = 0, unseen: Int64 = 0, total: Int64 = 0) -> InboxState {
        InboxState(epoch: "an epoch of 15c", seq: seq, unread: unread, unseen: unseen, total: total)
    }

    @Test func `a state and a position come back as they were`() throws {
        let numbers: [Int64] = [0, 1, 4_095, 4_096, 70_000, Self.largest]
        for (index, number) in numbers.enumerated() {
            let others = (numbers[(index + 1) % numbers.count], numbers[(index + 2) % numbers.count])
            for seq in [0, 1, Int64(UInt32.max)] {
                for position in [0, 1, 4_095, 4_096, 1 << 40, 1 << 44 - 1] as [UInt64] {
                    let state = state(seq: seq, unread: number, unseen: others.0, total: others.1)
                    let remembered = try #require(RememberedState(state, newestChange: .init(number: position)))
                    #expect(remembered.state == state)
                    #expect(remembered.newestChange == .init(number: position))
                }
            }
        }
    }

    @Test func `a state with too much to remember is asked of the store`() {
        let states = [
            state(seq: Int64(UInt32.max) + 1), state(unread: Self.largest + 1), state(unseen: Self.largest + 1),
            state(total: Self.largest + 1), state(seq: -1), state(unread: -1),
        ]
        for state in states { #expect(RememberedState(state, newestChange: .none) == nil) }
    }

    @Test func `a position beyond what there is room for is none`() {
        let remembered = RememberedState(state(), newestChange: .init(number: 1 << 44))
        #expect(remembered?.newestChange == ByteRing.Position.none)
    }

    @Test func `it takes 32 bytes`() { #expect(MemoryLayout<RememberedState>.stride == 32) }
}
