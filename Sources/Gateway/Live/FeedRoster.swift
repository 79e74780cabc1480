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

/// One session in one feed's roster.
final class FeedMembership {
    let roster: FeedRoster
    unowned let session: LiveSession
    var subscription: FeedSubscription
    /// Tells this subscription from an earlier one of the same session to the same feed.
    let number: Int
    fileprivate(set) var index = 0

    init(roster: FeedRoster, session: LiveSession, subscription: FeedSubscription, number: Int) {
        self.roster = roster
        self.session = session
        self.subscription = subscription
        self.number = number
    }
}
