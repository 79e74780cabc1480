import Inbox
import JSON
import Push
import SQLiteStore
import Store
import Support
import Testing

/// Events that join a notification after its person has looked are unseen: checked against a plain model.
@Suite(.everyEngine) struct SeenAgainTests {
    static let yaml = """
        catalog: tests
        actor: [id]
        badge: unseen
        events:
          said: {routes: [{to: people, type: SAID}]}
          added: {routes: [{to: people, type: ADDED}]}
        types:
          SAID: {text: "{{text}}"}
          ADDED:
            text: "{{things}}"
            fields: {flag: {value: text}}
            batch: {window: 5m, by: [actor.id], count: things, nouns: {one: one thing, other: "{{count}} things"}}
            push: {when: always, title: Added, body: "{{things}}"}

        """

    /// One notification, as a person would tell of it.
    private struct Row {
        /// Its events, and whether the person has seen what each brought.
        var events: [(key: String, isSeen: Bool)]
        var isRead = false
        var isOpen: Bool
        let actor: String

        var isSeen: Bool { events.allSatisfy(\.isSeen) }
        mutating func see() { for place in events.indices { events[place].isSeen = true } }
    }

    private struct Model {
        /// In the order in which they came.
        var rows: [Row] = []

        var unread: Int64 { Int64(rows.count { !$0.isRead }) }
        var unseen: Int64 { Int64(rows.count { !$0.isSeen }) }

        mutating func add(_ key: String, by actor: String, batched: Bool) {
            if batched, let place = rows.firstIndex(where: { $0.isOpen && $0.actor == actor }) {
                rows[place].events.append((key, false))
            } else {
                rows.append(Row(events: [(key, false)], isOpen: batched, actor: actor))
            }
        }

        mutating func read(_ place: Int) {
            rows[place].see()
            (rows[place].isRead, rows[place].isOpen) = (true, false)
        }

        mutating func retract(_ key: String) {
            for place in rows.indices { rows[place].events.removeAll { $0.key == key } }
            rows.removeAll { $0.events.isEmpty }
        }
    }

    @Test(arguments: Seeds.some(8, of: 40) as ClosedRange<UInt64>)
    func `counts, rows and frames say what a plain model of the events says`(seed: UInt64) async throws {
        try await withStore(yaml: Self.yaml) { fixture in
            var random = SeededRandom(seed: seed)
            var model = Model()
            var keys: [String] = []
            var (unread, seq): (Int64, Int64) = (0, 0)
            let epoch = try await fixture.store.state(of: .ada).epoch
            for step in 0..<40 {
                let rows = try await fixture.store.page(of: .ada).notifications.reversed().map(\.self)
                switch random.next(below: 9) {
                case 0...3:
                    let (key, actor) = ("k\(step)", ["renee", "pete"][random.next(below: 2)])
                    let isBatched = random.next(below: 4) > 0
                    let entry = try fixture.entry(isBatched ? "added" : "said", to: [.ada], key: key, actor: actor)
                    _ = try await fixture.publish(entry)
                    model.add(key, by: actor, batched: isBatched)
                    keys.append(key)
                case 4, 5:
                    try await fixture.store.apply(.seen(upTo: seq), for: .ada)
                    for place in model.rows.indices { model.rows[place].see() }
                case 6 where !rows.isEmpty:
                    let place = random.next(below: rows.count)
                    try await fixture.store.apply(.read(.ids([rows[place].id])), for: .ada)
                    model.read(place)
                case 7 where !keys.isEmpty:
                    let key = keys.remove(at: random.next(below: keys.count))
                    _ = try await fixture.store.retract(key, CatalogSet([fixture.catalog]))
                    model.retract(key)
                case 8:
                    let patch = NotificationPatch(
                        user: .ada, type: "ADDED", actor: "renee", key: nil, publisher: "backend",
                        fields: ["flag": .string("\(step)")], now: .at(0))
                    _ = try await fixture.store.patch(patch)
                default: break
                }
                let page = try await fixture.store.page(of: .ada)
                #expect(page.state.unread == model.unread, "step \(step)")
                #expect(page.state.unseen == model.unseen, "step \(step)")
                #expect(page.notifications.reversed().map(\.isSeen) == model.rows.map(\.isSeen), "step \(step)")
                for change in fixture.told(to: .ada) where change.stamp.seq > seq {
                    #expect(change.stamp.unread == unread + change.stamp.delta)
                    (unread, seq) = (change.stamp.unread, change.stamp.seq)
                }
                #expect(fixture.told(to: .ada).last?.stamp.unseen ?? 0 == model.unseen)
            }
            try await replay(epoch, upTo: seq, fixture, random)
        }
    }

    /// A client that comes back is told each notification as it is now, from memory and from the disk.
    private func replay(_ epoch: String, upTo seq: Int64, _ fixture: StoreFixture, _ random: SeededRandom) async throws
    {
        var random = random
        let position = InboxPosition(epoch: epoch, seq: Int64(random.next(below: Int(seq) + 1)))
        let rows = try await fixture.store.page(of: .ada).notifications
        let seen = Dictionary(rows.map { ($0.id, $0.isSeen) }) { first, _ in first }
        let stored = try await fixture.store.recover(.ada, from: position)
        for recovery in [stored, fixture.store.rememberedRecovery(of: .ada, from: position)].compactMap(\.self) {
            guard case .changes(let changes) = recovery.result else { return #expect(Bool(false), "a reset") }
            for change in changes {
                switch change.kind {
                case .new(let shown), .update(let shown): #expect(shown.isSeen == seen[shown.id])
                case .read, .seen, .removed: break
                }
            }
        }
    }

    @Test func `the badge of a push of what has grown counts it again`() async throws {
        try await withStore(yaml: Self.yaml) { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            _ = try await fixture.publish(fixture.entry("added", to: [.ada]), at: .at(0))
            let first = try await fixture.job(at: .at(1))
            #expect(first.message.badge == 1)
            try await fixture.store.settle(first, as: .finish, at: .at(1))
            try await fixture.store.apply(.seen(upTo: 1), for: .ada, at: .at(2))
            for job in try await fixture.store.leasePushJobs(at: .at(20)).jobs {
                #expect(job.message.badge == 0)
                try await fixture.store.settle(job, as: .finish, at: .at(20))
            }
            _ = try await fixture.publish(fixture.entry("added", to: [.ada]), at: .at(60))
            #expect(try await fixture.store.state(of: .ada).unseen == 1)
            let badges = try await fixture.store.leasePushJobs(at: .at(400)).jobs.map(\.message.badge)
            #expect(badges.allSatisfy { $0 == 1 }, "\(badges)")
        }
    }
}
