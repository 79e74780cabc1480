import Inbox
import Store
import Synchronization
package import Transport
import WireProtocol

/// All shards' live sessions, for callers outside the shards: the store's queue, which tells of commits, and the
/// server.
package final class LiveHub: Sendable {
    struct Member: Sendable {
        let shard: Shard
        let live: QueueBound<LiveShard>
    }

    let members: [Member]
    private let publications: FeedPublications
    private let liveOnlyFeeds: LiveOnlyFeeds
    /// How many sessions each shard had when the node began to leave; nil for a shard that has not counted yet.
    private let counts: Mutex<[Int?]>

    package init(shards: [Shard], node: Node) {
        members = shards.map { shard in
            Member(shard: shard, live: QueueBound(LiveShard(node: node), on: shard.queue))
        }
        publications = node.feedPublications
        liveOnlyFeeds = node.liveOnlyFeeds
        counts = Mutex(Array(repeating: nil, count: shards.count))
    }

    /// The sessions of the shard of this turn.
    func shard(_ on: borrowing OnShard) -> LiveShard { members[on.shard.index].live.withState { $0 } }

    /// Notes a commit of this process.
    func written(_ commit: Commit) {
        // Items of events were never counted as pending.
        for delivery in commit.feeds where !delivery.isOfEvent { publications.end(1, of: delivery.item.feed) }
    }

    /// Delivers a commit to all shards.
    func deliver(_ commit: Commit) {
        for user in commit.erased { close(user, .revoked) { _ in } }
        end(by: commit.revoked) { _ in }
        // Their clients come back and ask for what they have missed.
        for user in commit.restarted { close(user, .drain) { _ in } }
        if !commit.passing.isEmpty { liveOnlyFeeds.tell(commit.passing, through: self) }
        guard
            !commit.inboxes.isEmpty || !commit.feeds.isEmpty || !commit.departures.isEmpty || !commit.settings.isEmpty
        else { return }
        tell(commit, holding: nil)
    }

    /// Posts one message to each shard, however large the commit is.
    ///
    /// - Parameter share: of a publish, which counts until every shard has handled its message.
    func tell(_ commit: Commit, holding share: PublishLoad.Share?) {
        for member in members {
            member.shard.post { on in
                member.live.withState { $0 }.deliver(commit, on)
                withExtendedLifetime(share) {}
            }
        }
    }

    /// To be called after the catalogs have changed.
    func catalogsChanged() {
        for member in members { member.shard.post { on in member.live.withState { $0 }.catalogsChanged(on) } }
    }

    /// To be called after the keys have changed: sessions with a token of a removed key are asked for another.
    func keysChanged() {
        for member in members { member.shard.post { on in member.live.withState { $0 }.judgeAgain(on) } }
    }

    // MARK: Leaving

    /// Tells every session its own moment to come back, and closes it then. To be called once.
    ///
    /// - Parameter plan: called with the number of all sessions, on one of the shards, before any session is told.
    func drain(_ plan: @escaping @Sendable (_ sessionCount: Int) -> DrainPlan) {
        for (index, member) in members.enumerated() {
            member.shard.post { [self] on in
                let count = member.live.withState { $0 }.openCount
                let all = counts.withLock { counts in
                    counts[index] = count
                    return counts.compactMap(\.self)
                }
                // The last shard that counts knows the total.
                guard all.count == members.count else { return }
                var random = SystemRandomNumberGenerator()
                let slots = plan(all.reduce(0, +)).slots(for: all, using: &random)
                for (member, slots) in zip(members, slots) {
                    member.shard.post { on in member.live.withState { $0 }.drain(slots, on) }
                }
            }
        }
    }

    /// Closes the sessions that are left.
    func closeAll() {
        for member in members {
            member.shard.post { on in member.live.withState { $0 }.closeAll(on) }
        }
    }
}
