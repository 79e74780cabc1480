import Store
import Support
import Testing
import Transport

@testable import Gateway

@Suite(.mayNotHang)
struct FeedRosterTests {
    /// A step of one turn, drawn beforehand because the turn itself runs elsewhere.
    private enum Step: Sendable {
        case items([Int])
        case subscribe(Int)
        case load(Int, behind: Int64)
        case deliver
    }

    /// Items are large now and then, so that sockets fill up.
    private static func steps(_ random: inout SeededRandom, readers: Int) -> [Step] {
        (0..<(1 + random.next(below: 4))).map { _ in
            switch random.next(below: 5) {
            case 0: .subscribe(random.next(below: readers))
            case 1: .load(random.next(below: readers), behind: Int64(random.next(below: 3)))
            case 2: .deliver
            default:
                .items((0..<(1 + random.next(below: 20))).map { _ in [10, 200, 60_000][random.next(below: 3)] })
            }
        }
    }

    /// - Parameter subscribed: the head when each member subscribed; what is read for it later is not older.
    private static func take(
        _ step: Step, _ state: inout RosterRoom.State, _ subscribed: inout [Int: Int64], _ loaded: inout Set<Int>,
        _ on: borrowing OnShard
    ) {
        switch step {
        case .items(let sizes): for bytes in sizes { state.append(bytes: bytes, on.now) }
        case .subscribe(let index):
            guard subscribed[index] == nil else { return }
            subscribed[index] = state.head
            state.members[index].subscribe(to: state.roster, after: state.head, on)
        case .load(let index, let behind):
            guard let first = subscribed[index], !loaded.contains(index) else { return }
            loaded.insert(index)
            state.members[index].load(head: max(first, state.head - behind), on)
        case .deliver: _ = state.roster.deliver(nil, on)
        }
    }

    /// The model is the promise itself: whatever waits, blocks or is caught up with, each offset comes once and in
    /// order.
    @Test(arguments: 0..<12 as Range<UInt64>)
    func `each member is told of every item once, in order, by a frame or in a gap`(seed: UInt64) async throws {
        let room = try await RosterRoom()
        var readers: [RosterRoom.Reader] = []
        for _ in 0..<4 { readers.append(try await room.join()) }
        var random = SeededRandom(seed: seed)
        var (subscribed, loaded): ([Int: Int64], Set<Int>) = ([:], [])
        for _ in 0..<40 {
            let steps = Self.steps(&random, readers: readers.count)
            (subscribed, loaded) = await room.turn { [subscribed, loaded] state, on in
                var (subscribed, loaded) = (subscribed, loaded)
                for step in steps { Self.take(step, &state, &subscribed, &loaded, on) }
                return (subscribed, loaded)
            }
            readers[random.next(below: readers.count)].setReading(random.next(below: 2) == 0)
        }
        for reader in readers { reader.setReading(true) }
        let (first, head) = await room.turn { [subscribed, loaded] state, on in
            var (subscribed, loaded) = (subscribed, loaded)
            for index in state.members.indices {
                Self.take(.subscribe(index), &state, &subscribed, &loaded, on)
                Self.take(.load(index, behind: 0), &state, &subscribed, &loaded, on)
            }
            _ = state.roster.deliver(nil, on)
            return (subscribed, state.head)
        }
        _ = await room.turn { state, on in for member in state.members { member.end(on) } }
        for (index, reader) in readers.enumerated() {
            let offsets = await reader.offsets()
            #expect(offsets == Array(((first[index] ?? 0) + 1)..<(head + 1)))
        }
        await room.stop()
    }

    @Test func `of a burst that a reader does not take, no more waits than its queue may hold`() async throws {
        let room = try await RosterRoom()
        let (slow, other) = (try await room.join(), try await room.join())
        await slow.pause()
        await room.turn { state, on in
            for member in state.members {
                member.subscribe(to: state.roster, after: 0, on)
                member.load(head: 0, on)
            }
        }
        // More than the system keeps for two sockets.
        let backlogs = await room.turn { state, on in
            for _ in 0..<200 { state.append(bytes: 60_000, on.now) }
            _ = state.roster.deliver(nil, on)
            return state.members.map { $0.webSocket?.backlog ?? 0 }
        }
        #expect(backlogs.allSatisfy { $0 <= RosterRoom.maximumQueuedBytes + 60_000 }, "\(backlogs)")
        slow.setReading(true)
        _ = await room.turn { state, on in for member in state.members { member.end(on) } }
        for reader in [slow, other] { #expect(await reader.offsets() == Array(1...200)) }
        await room.stop()
    }

    @Test func `a membership takes at most 64 bytes of the heap, terms of its own aside`() {
        // Without malloc's own eight.
        #expect(HeapSize.bytes(of: FeedMembership.self) <= 56)
    }

    @Test func `items are pending from when the store is given them until they are committed or refused`() {
        let publications = FeedPublications()
        publications.begin(2, of: "posts")
        publications.begin(1, of: "posts")
        #expect(!publications.arePending(of: "other"))
        publications.end(1, of: "posts")
        publications.end(0, of: "posts")
        publications.end(1, of: "other")
        #expect(publications.arePending(of: "posts"))
        publications.end(2, of: "posts")
        #expect(!publications.arePending(of: "posts"))
    }
}
