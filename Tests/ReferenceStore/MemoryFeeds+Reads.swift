import Deliveries
import Inbox
import Store

extension MemoryFeeds: FeedReads {
    func offsets(
        of feed: FeedRecord, above low: Int64, upTo high: Int64, tags: [String], limit: Int, isNewestFirst: Bool
    ) -> [Int64] {
        let found = items(feed).filter { item in
            item.place.offset > low && item.place.offset <= high
                && (tags.isEmpty || !item.tags.isDisjoint(with: tags.map(ExactText.init)))
        }
        let offsets = found.map(\.place.offset)
        return Array((isNewestFirst ? offsets.reversed() : offsets).prefix(limit))
    }

    func item(at offset: Int64, of feed: FeedRecord) -> (time: Timestamp, json: [UInt8])? {
        items(feed).first { $0.place.offset == offset }.map { ($0.place.time, $0.json) }
    }

    func changes(of feed: FeedRecord, after offset: Int64) -> [ToldFeedChange] {
        let kept = kept(feed)?.changes ?? [:]
        return kept.compactMap { place, kept in
            let isLast = !self.changes(feed).contains { $0.key > place && $0.value.target == kept.change.target }
            guard place > offset, kept.change.target <= offset, isLast else { return nil }
            return ToldFeedChange(
                offset: place, time: kept.time, change: kept.change, id: kept.id, tags: kept.tags)
        }
    }

    private func changes(_ feed: FeedRecord) -> [(key: Int64, value: FeedChange)] {
        (kept(feed)?.changes ?? [:]).map { ($0.key, $0.value.change) }
    }

    func lastChange(upTo time: Timestamp, in feed: FeedRecord) -> Int64? {
        kept(feed)?.changes.filter { $0.value.time <= time }.keys.max()
    }

    func viewer(_ viewer: FeedViewer) -> (inbox: Int64, names: [String])? {
        let user: UserID?
        switch viewer {
        case .user(let known): user = known
        case .email(let email, let app): user = MemoryPeople(memory).user(withEmail: email, in: app)
        }
        return state.inboxes.first { $0.value.user == user }.map { id, inbox in
            let email = inbox.person?.profile.email.map(UserProfile.searchForm(ofEmail:))
            return (id, [inbox.user.name] + (email.map { [$0] } ?? []))
        }
    }

    func isMember(inbox: Int64, of topic: String) -> Bool {
        state.topics.values.contains { $0.name.isExactly(topic) && $0.topic.members.contains(inbox) }
    }

    func viewed(_ feed: FeedRecord, inbox: Int64) -> Int64 { kept(feed)?.marks[inbox] ?? 0 }
}
