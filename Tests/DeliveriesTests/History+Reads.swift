import Inbox
import Push
import Store
import Support

@testable import Deliveries

/// The reads of a history: what people, operators and backends may ask at a moment.
extension History {
    func compareReads() throws {
        chooseApp()
        try compareInbox(of: user())
        try comparePerson(user())
        try compareFeed(feed(), of: user())
        try compareTrail(of: user())
    }

    private func compareInbox(of user: UserID) throws {
        let types: [Set<String>?] = [nil, nil, ["SAID"], ["SAID", "ADDED"]]
        let filter = NotificationFilter(
            unreadOnly: chance(2), group: chance(4) ? "room:attic" : nil, types: pick(types))
        let (offset, limit, seq) = (
            Int64(random.next(below: 5)), 1 + random.next(below: 6), Int64(random.next(below: 60))
        )
        let options = engines.options
        try engines.read { reads -> (Page, Page, GroupPage, Recovery)? in
            guard let inbox = try reads.inboxes.record(of: user) else { return nil }
            let list = InboxList(reads: try reads.inboxes, inbox: inbox)
            let first = PageQuery(start: .offset(offset), limit: limit, filter: filter)
            // A later page, as of a moment that may be past.
            let id = NotificationID(inbox: inbox.id, sequence: max(1, inbox.state.seq - offset))
            let next = PageQuery(
                start: .before(id), limit: limit, asOf: max(0, inbox.state.seq - offset), filter: filter)
            let position = InboxPosition(epoch: inbox.state.epoch, seq: max(0, inbox.state.seq - seq))
            let recovery = InboxRecovery(reads: try reads.inboxes, inbox: inbox, rules: options)
            return (
                try list.page(first), try list.page(next), try list.groups(limit), try recovery.recovery(from: position)
            )
        }
    }

    private func comparePerson(_ user: UserID) throws {
        let (id, app, owner) = ("phone-\(random.next(below: 3))", chance(2) ? "tests" : "", chance(2) ? user : nil)
        let token = "\(user.name)-\(id)\(app)"
        let (topic, limit, broadcasts) = (topic(), 1 + random.next(below: 4), broadcasts)
        try engines.read { reads in
            [
                try reads.users.isKnown(user), try reads.users.profile(of: user) as Any,
                try reads.users.user(withEmail: "\(user.name)@EXAMPLE.com", in: user.app) as Any,
                try reads.users.settings(of: user),
                try reads.users.facts(of: user), try reads.devices.devices(of: user),
                try reads.devices.installation(ofDevice: id, app: app, of: owner, in: user.app) as Any,
                try reads.devices.device(of: .webpush, token: token, in: user.app) as Any,
                try reads.topics.page(of: topic, after: user, limit: limit) as Any, try reads.topics.topics(of: user),
                try reads.topics.isMember(user, of: topic), try reads.broadcasts.open(),
                try reads.inboxes.crowded(after: Int64(limit), limit: 3, olderThan: nil, maximumRows: 3),
                try broadcasts.map { try reads.broadcasts.broadcast(of: $0) as Any },
            ] as [Any]
        }
    }

    private func compareFeed(_ name: String, of user: UserID) throws {
        let offset = Int64(random.next(below: 30))
        let (time, tags) = (now + .seconds(-Int64(random.next(below: 2_000))), chance(2) ? ["red"] : [])
        let limit = 1 + random.next(below: 5)
        try engines.read { reads in
            let feeds = reads.feeds
            let place = FeedPosition(
                epoch: try feeds.record(named: name)?.epoch ?? feeds.beginning(of: name).epoch, offset: offset)
            let starts: [FeedQuery.Start] = [
                .newest, .after(place), .newestAfter(place), .before(offset, epoch: nil), .afterTime(time),
            ]
            let news = FeedNews(reads: feeds)
            let pages = try starts.map { start in
                try FeedPages(reads: feeds).page(of: name, FeedQuery(start, tags: tags, limit: limit))
            }
            let request = FeedSummaries.Request(name, topic: app.key("cats"))
            return [
                pages, try news.mark(of: name, by: user), try news.summaries(of: [request], for: .user(user)),
                try news.summaries(of: [request], for: .email("\(user.name)@example.com", in: user.app)),
                try news.holds(.member(user, of: app.key("cats"))),
            ] as [Any]
        }
    }

    private func compareTrail(of user: UserID) throws {
        let (limit, after) = (1 + random.next(below: 4), random.next(below: 3))
        let middle = "event-\(1_000_000 + max(0, events - random.next(below: 30)))"
        try engines.read { reads -> [Any]? in
            guard let inbox = try reads.inboxes.record(of: user) else { return nil }
            let trail = try PersonalTrails(reads: reads.trail, maximumRows: 20)
                .trail(of: user, before: nil, limit: limit)
            let newest = try InboxList(reads: reads.inboxes, inbox: inbox)
                .page(PageQuery(start: .offset(0), limit: 3)).notifications
            return [
                trail as Any,
                try trail?.entries.map { entry in
                    try EventTrail(reads: reads.trail).report(TrailQuery(.id(entry.event.id), after: after, limit: 3))
                        as Any
                } as Any,
                try newest.map { notification in
                    try NotificationTrails(reads: reads.trail, maximumRows: 20)
                        .trail(of: notification.id, user: user) { _ in middle } as Any
                },
            ]
        }
    }
}
