import Inbox
import Push
import SQLiteStore
import Store
import Testing

/// Pushes that follow a growth, of a type with a pace: they keep it as first pushes do.
struct PacedRenewalTests {
    private static func yaml(perHour: Int) -> String {
        """
        catalog: tests
        actor: [id, username]
        events:
          added: {routes: [{to: people, type: ADDED}]}
        types:
          ADDED:
            text: "{{things}}"
            batch: {window: 3h, by: [actor.id], count: things, nouns: {one: one thing, other: "{{count}} things"}}
            push:
              {when: always, timing: each, perHour: \(perHour), title: Added, body: "{{things}}",
               summary: {title: Added, body: "{{count}} additions"}}
        """
    }

    private func withPhone(perHour: Int, _ body: (StoreFixture) async throws -> Void) async throws {
        try await withStore(yaml: Self.yaml(perHour: perHour)) { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            try await body(fixture)
        }
    }

    private func add(_ fixture: StoreFixture, by actor: String, at now: Int64) async throws {
        _ = try await fixture.publish(fixture.entry("added", to: [.ada], actor: actor), at: .at(now))
    }

    private func send(_ fixture: StoreFixture, at now: Int64) async throws -> PushJob {
        let job = try await fixture.job(at: .at(now))
        try await fixture.store.settle(job, as: .finish, at: .at(now))
        return job
    }

    private func isQuiet(_ fixture: StoreFixture, at now: Int64) async throws -> Bool {
        try await fixture.store.leasePushJobs(at: .at(now)).jobs.isEmpty
    }

    private func withdrawn(_ fixture: StoreFixture, at now: Int64) async throws -> [String] {
        let job = try await send(fixture, at: now)
        #expect(job.message.content == nil)
        return job.message.withdrawn
    }

    @Test func `a grown notification leaves with other waiting ones at the hour's end, in its own place on the screen`()
        async throws
    {
        try await withPhone(perHour: 1) { fixture in
            try await add(fixture, by: "renee", at: 0)
            let shown = try await send(fixture, at: 0)
            try await add(fixture, by: "pete", at: 1)
            try await add(fixture, by: "renee", at: 2)
            #expect(try await isQuiet(fixture, at: 3_599))
            let fold = try await send(fixture, at: 3_600)
            #expect((fold.body, fold.message.count) == ("2 additions", 2))
            #expect(fold.message.collapseID == shown.message.collapseID)
            #expect(try await isQuiet(fixture, at: 7_000))
            let ids = fold.parts.compactMap(\.notification)
            try #require(ids.count == 2)
            try await fixture.store.apply(.read(.ids([ids[0]])), for: .ada, at: .at(7_100))
            #expect(try await withdrawn(fixture, at: 7_110) == [])
            try await fixture.store.apply(.read(.ids([ids[1]])), for: .ada, at: .at(7_200))
            #expect(try await withdrawn(fixture, at: 7_210) == [shown.message.collapseID])
        }
    }

    @Test func `of several that are on the screen the fold takes one place, and the others are withdrawn`() async throws
    {
        try await withPhone(perHour: 2) { fixture in
            var shown: [String] = []
            for (second, actor) in ["renee", "pete"].enumerated() {
                try await add(fixture, by: actor, at: Int64(second))
                shown.append(try await send(fixture, at: Int64(second)).message.collapseID)
            }
            for actor in ["renee", "pete"] { try await add(fixture, by: actor, at: 10) }
            let fold = try await send(fixture, at: 3_600)
            #expect((fold.message.count, fold.message.collapseID) == (2, shown[0]))
            #expect(try await withdrawn(fixture, at: 3_610) == [shown[1]])
            #expect(try await isQuiet(fixture, at: 7_000))
        }
    }

    @Test func `a notification that a fold was to take from the screen stays if it is shown there anew`() async throws {
        try await withPhone(perHour: 2) { fixture in
            var shown: [PushJob] = []
            for (second, actor) in ["renee", "pete"].enumerated() {
                try await add(fixture, by: actor, at: Int64(second))
                shown.append(try await send(fixture, at: Int64(second)))
            }
            for actor in ["renee", "pete"] { try await add(fixture, by: actor, at: 10) }
            let fold = try await send(fixture, at: 3_600)
            #expect(fold.message.count == 2)
            // Before the push that withdraws the other place has left.
            try await add(fixture, by: "pete", at: 3_601)
            let anew = try await send(fixture, at: 3_601)
            #expect(anew.message.collapseID == shown[1].message.collapseID)
            #expect(try await isQuiet(fixture, at: 3_610))
            for (second, push) in zip([3_700, 3_800], shown.reversed()) {
                let id = try #require(push.message.notification)
                try await fixture.store.apply(.read(.ids([id])), for: .ada, at: .at(Int64(second)))
                #expect(try await withdrawn(fixture, at: Int64(second) + 10) == [push.message.collapseID])
            }
        }
    }

    @Test func `tried again the fold takes the same place`() async throws {
        try await withPhone(perHour: 2) { fixture in
            for (second, actor) in ["renee", "pete"].enumerated() {
                try await add(fixture, by: actor, at: Int64(second))
                _ = try await send(fixture, at: Int64(second))
            }
            for actor in ["quinn", "renee", "pete"] { try await add(fixture, by: actor, at: 10) }
            let first = try await fixture.job(at: .at(3_600))
            try await fixture.store.settle(
                first, as: .retry(at: .at(3_700)), attempt: .init(failures: 1, expiry: first.attempt.expiry),
                at: .at(3_600))
            let fold = try await send(fixture, at: 3_700)
            #expect((fold.message.count, fold.message.collapseID) == (3, first.message.collapseID))
            let other = try #require(first.parts.dropFirst().first?.notification)
            #expect(try await withdrawn(fixture, at: 3_710) == [other.text])
        }
    }

    @Test func `shown notifications stay on the screen, each in its place, when the fold is refused`() async throws {
        try await withPhone(perHour: 2) { fixture in
            var shown: [PushJob] = []
            for (second, actor) in ["renee", "pete"].enumerated() {
                try await add(fixture, by: actor, at: Int64(second))
                shown.append(try await send(fixture, at: Int64(second)))
            }
            for actor in ["renee", "pete"] { try await add(fixture, by: actor, at: 10) }
            let fold = try await fixture.job(at: .at(3_600))
            try await fixture.store.settle(fold, as: .abandon(reason: "no"), at: .at(3_600))
            #expect(try await isQuiet(fixture, at: 7_000))
            for push in shown {
                let id = try #require(push.message.notification)
                try await fixture.store.apply(.read(.ids([id])), for: .ada, at: .at(7_100))
                #expect(try await withdrawn(fixture, at: 7_110) == [push.message.collapseID])
            }
        }
    }
}
