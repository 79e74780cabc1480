import Inbox
import Storage
import Transport
import WireProtocol

/// One shard's live sessions by user and by feed; turns what was committed into frames for them.
final class LiveShard {
    let node: Node
    private var sessions: [UserID: [LiveSession]] = [:]
    private var rosters: [String: FeedRoster] = [:]
    /// Sessions that have not said hello yet are in no other list, and must hear of a drain too.
    private var all: [ObjectIdentifier: LiveSession] = [:]

    init(node: Node) { self.node = node }

    // MARK: Coming and going

    func opened(_ session: LiveSession) { all[ObjectIdentifier(session)] = session }

    func closed(_ session: LiveSession) { all[ObjectIdentifier(session)] = nil }

    /// False if the user has as many sessions as allowed.
    func join(_ session: LiveSession, as user: UserID) -> Bool {
        guard node.presence.join(user) else { return false }
        sessions[user, default: []].append(session)
        node.metrics.sessions.add(1)
        return true
    }

    func leave(_ session: LiveSession, as user: UserID) {
        node.presence.leave(user)
        node.metrics.sessions.add(-1)
        guard var others = sessions[user] else { return }
        others.removeAll { $0 === session }
        sessions[user] = others.isEmpty ? nil : others
    }

    func roster(of feed: String) -> FeedRoster {
        if let roster = rosters[feed] { return roster }
        let roster = FeedRoster(feed: feed)
        rosters[feed] = roster
        return roster
    }

    func leave(_ membership: FeedMembership) {
        membership.roster.remove(membership)
        if membership.roster.members.isEmpty { rosters[membership.roster.feed] = nil }
    }

    // MARK: Delivery

    /// Encodes each change once for all of the user's sessions here, each item once for all subscribers here.
    func deliver(_ commit: Commit, _ on: borrowing OnShard) {
        for delivery in commit.inboxes {
            guard let sessions = sessions[delivery.user] else { continue }
            let frame = LiveFrames.frame(for: delivery.change, isReplay: false)
            for session in sessions { session.deliver(delivery.change.stamp, frame, on) }
        }
        for delivery in commit.feeds {
            guard let roster = rosters[delivery.item.feed] else { continue }
            let frame = LiveFrames.item(delivery.item.json, of: roster.feed, offset: delivery.position.offset)
            var sent = 0
            for member in roster.members where member.deliver(delivery.position.offset, frame, on) { sent += 1 }
            node.metrics.framesOut.add(sent)
        }
    }

    /// Tells every session to come back elsewhere, each in its own slot within `span`, and closes them.
    func drain(over span: Duration, _ on: borrowing OnShard) {
        let slot = span / max(all.count, 1)
        for (index, session) in all.values.enumerated() { session.drain(reconnectIn: slot * index, on) }
    }
}
