import Storage
import Transport

/// All shards' live sessions, for those who are on no shard: the store's queue, which tells of commits, and the server.
final class LiveHub: Sendable {
    struct Member: Sendable {
        let shard: Shard
        let live: QueueBound<LiveShard>
    }

    let members: [Member]

    init(shards: [Shard], node: Node) {
        members = shards.map { shard in
            Member(shard: shard, live: QueueBound(LiveShard(node: node), on: shard.queue))
        }
    }

    /// One letter a shard, however much was committed.
    func deliver(_ commit: Commit) {
        guard !commit.inboxes.isEmpty || !commit.feeds.isEmpty else { return }
        for member in members {
            member.shard.post { on in member.live.withState { $0 }.deliver(commit, on) }
        }
    }

    func drain(over span: Duration) {
        for member in members {
            member.shard.post { on in member.live.withState { $0 }.drain(over: span, on) }
        }
    }
}
