import Inbox
import Testing
import Transport

@testable import Gateway

/// A live-only feed with so many members that a walk over them takes long.
@Suite(.mayNotHang)
struct LiveOnlyBurstTests {
    private static let feed = "typing:1"

    @Test(arguments: PollerKind.allCases)
    func `where items come while others are told, the next waits, and is told though nothing else comes`(
        _ poller: PollerKind
    ) async throws {
        let room = try await RosterRoom(poller)
        let publishers = try await PublishListener(StalledStore())
        let hub = LiveHub(shards: [room.server], node: publishers.node)
        var readers: [RosterRoom.Reader] = []
        for _ in 0..<FeedPace.manyMembers { readers.append(try await room.join()) }
        await room.turn { state, on in
            let roster = Self.roster(in: hub)
            for member in state.members {
                member.subscribe(to: roster, after: 0, on)
                member.load(head: 0, on)
            }
        }
        var offset: Int64 = 0
        // A machine that is busy elsewhere may be late with the turn after a walk, and nothing is learnt then.
        repeat {
            offset += 3
            await Self.publishDuringWalk(publishers.node, hub, on: room.server)
        } while await !Self.waitsAfterPublishing(publishers.node, hub, on: room.server)
        for reader in readers {
            while await reader.offsetsSoFar().count < offset { await Task.yield() }
            #expect(await reader.offsetsSoFar() == Array(1...offset))
        }
        await room.stop()
        await publishers.stop()
    }

    private static func roster(in hub: LiveHub) -> FeedRoster {
        hub.members[0].live.withState { $0 }.roster(of: feed)
    }

    private static func publish(_ node: Node, _ hub: LiveHub) {
        let item = FeedItem(feed: feed, json: Array("1".utf8), publishedAt: Timestamp(milliseconds: 1))
        _ = node.liveOnlyFeeds.publish(
            [item], at: Timestamp(milliseconds: 1), through: hub, node.publishLoad.takeAnyway(1, by: .user(nil)))
    }

    /// Publishes one item, and another one as soon as all members were told of the first.
    private static func publishDuringWalk(_ node: Node, _ hub: LiveHub, on shard: Shard) async {
        await withCheckedContinuation { continuation in
            shard.post { on in
                publish(node, hub)
                // Read in the turn that tells of the item, whose end it hears of after that.
                on.shard.post { on in
                    on.shard.atEndOfTurn(on) { on in
                        publish(node, hub)
                        on.shard.post { _ in continuation.resume() }
                    }
                }
            }
        }
    }

    /// Publishes one item when nothing has come for a while; whether it waits when the turn that it came in ends.
    private static func waitsAfterPublishing(_ node: Node, _ hub: LiveHub, on shard: Shard) async -> Bool {
        await withCheckedContinuation { continuation in
            shard.post { on in
                on.shard.schedule(at: on.now + .milliseconds(1), on) { on in
                    publish(node, hub)
                    on.shard.post { on in
                        on.shard.atEndOfTurn(on) { _ in continuation.resume(returning: roster(in: hub).hasNews) }
                    }
                }
            }
        }
    }
}
