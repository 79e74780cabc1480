/// One shard's subscribers of one feed, side by side, so that a fan-out walks an array.
final class FeedRoster {
    let feed: String
    private(set) var members: [FeedMembership] = []

    init(feed: String) { self.feed = feed }

    func add(_ member: FeedMembership) {
        member.index = members.count
        members.append(member)
    }

    /// Puts the last member in the place of the one that leaves: ten thousand leaving must not cost their square.
    func remove(_ member: FeedMembership) {
        let last = members.removeLast()
        guard last !== member else { return }
        members[member.index] = last
        last.index = member.index
    }
}
