import Inbox
import JSON
import Push
import Testing

@testable import Deliveries
@testable import SQLiteStore
@testable import Store

/// Types with a pace: "at most one push an hour, then one for all that waited".
struct PushFoldTests {
    private func withPhone(_ body: (StoreFixture) async throws -> Void) async throws {
        try await withStore { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            try await body(fixture)
        }
    }

    /// The first push of the hour has left; three more wait for its end.
    private func withWaiting(_ body: (StoreFixture, [NotificationID]) async throws -> Void) async throws {
        try await withPhone { fixture in
            try await fixture.publish("upvoted", "zero", to: .ada, at: .at(0))
            try await fixture.store.settle(try await fixture.job(at: .at(0)), as: .finish)
            for (second, text) in ["one", "two", "three"].enumerated() {
                try await fixture.publish("upvoted", text, to: .ada, at: .at(Int64(second) + 1))
            }
            try await body(fixture, try await fixture.ids(of: .ada).dropLast().reversed())
        }
    }

    @Test func `pushes beyond the pace wait for the hour's end and leave as one`() async throws {
        try await withWaiting { fixture, ids in
            #expect(fixture.commits.last?.nextPushDue == [.apns: .at(3_600)])
            #expect(try await fixture.store.leasePushJobs(at: .at(3_599)).jobs.isEmpty)
            let job = try await fixture.job(at: .at(3_600))
            #expect((job.body, job.message.count, job.message.badge) == ("3 upvotes", 3, 4))
            #expect(job.parts.map(\.notification) == ids)
            #expect(job.parts.map(\.id) == job.parts.map(\.id).sorted())
            #expect((job.message.notification, job.message.collapseID) == (ids[2], ids[0].text))
            try await fixture.store.settle(job, as: .finish)
            #expect(try await fixture.statistics().pushJobs == 0)
        }
    }

    @Test(arguments: [
        (["pete", "renee", "pete"], "2 people, 3 upvotes"), (["pete", "pete", "pete"], "pete, 3 upvotes"),
        ([nil, nil, "pete"], "3 people, 3 upvotes"), (["pete", nil, "é"], "3 people, 3 upvotes"),
        (["e\u{301}", "\u{e9}", "pete"], "3 people, 3 upvotes"),
    ])
    func `it tells how many people it was, each of them once`(_ actors: [String?], _ text: String) async throws {
        try await withUpvotes(of: actors) { fixture in
            let texts = try await fixture.job(at: .at(3_600)).message.texts
            #expect("\(texts.title), \(texts.body)" == text)
        }
    }

    @Test(arguments: [
        (["pete"], "2 people, 2 upvotes"), (["renee"], "renee, 2 upvotes"), ([nil], "2 people, 2 upvotes"),
        (["pete", "renee", "\u{e9}", "pete"], "3 people, 5 upvotes"),
    ])
    func `people whose doing comes with the commit that hands it out are among them`(
        _ late: [String?], _ text: String
    ) async throws {
        try await withUpvotes(of: ["renee"]) { fixture in
            let publication = Publication(
                publisher: "backend", entries: try late.map { try Self.upvote(by: $0, fixture) }, now: .at(3_599))
            let jobs = try await withCheckedThrowingContinuation { continuation in
                fixture.write(rows: publication.rows) {
                    continuation.resume(with: $0)
                } _: { open in
                    _ = try PublishWriter(open: open).publish(publication)
                    let leasing = PushLeasing(open: open, provider: .apns, now: .at(3_600), end: .at(3_660))
                    return .success(try leasing.lease(10).jobs)
                }
            }
            #expect(jobs.map { "\($0.message.texts.title), \($0.message.texts.body)" } == [text])
            // Notifications that were written before their time are there after the commit, too.
            #expect(try await fixture.texts(of: .ada).count == 2 + late.count)
        }
    }

    /// The first push of the hour has left; these people's upvotes wait for its end.
    private func withUpvotes(of actors: [String?], _ body: (StoreFixture) async throws -> Void) async throws {
        let yaml = """
            catalog: tests
            actor: [id]
            events: {upvoted: {routes: [{to: people, type: UPVOTED}]}}
            types:
              UPVOTED:
                text: upvoted
                push:
                  when: fallback
                  perHour: 1
                  title: Upvoted
                  body: upvoted
                  summary:
                    title: {one: ["{{actor.id}}", "one"], other: "{{people}} people"}
                    body: "{{count}} upvotes"
            """
        try await withStore(yaml: yaml) { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            for (second, actor) in (["first"] + actors).enumerated() {
                _ = try await fixture.publish(try Self.upvote(by: actor, fixture), at: .at(Int64(second)))
            }
            try await fixture.store.settle(try await fixture.job(at: .at(0)), as: .finish)
            try await body(fixture)
        }
    }

    private static func upvote(by actor: String?, _ fixture: StoreFixture) throws -> Publication.Entry {
        let event = Event(
            type: "upvoted", actor: actor.map { ["id": .string($0)] }, to: [.init(name: "people", users: [.ada])],
            data: [:])
        return try fixture.entry(event)
    }

    @Test func `one that waited alone says its own words`() async throws {
        try await withPhone { fixture in
            for second in [Int64(0), 1] {
                try await fixture.publish("upvoted", "at \(second)", to: .ada, at: .at(second))
            }
            try await fixture.store.settle(try await fixture.job(at: .at(0)), as: .finish)
            #expect(try await fixture.job(at: .at(3_600)).body == "at 1")
        }
    }

    @Test func `a group's name is a text of any octets`() async throws {
        try await withPhone { fixture in
            for second in [Int64(0), 1, 2] {
                let entry = try fixture.entry("upvoted", "at \(second)", to: [.ada], actor: "a\u{0}b")
                _ = try await fixture.publish(entry, at: .at(second))
            }
            try await fixture.store.settle(try await fixture.job(at: .at(0)), as: .finish)
            #expect(try await fixture.job(at: .at(3_600)).body == "2 upvotes")
        }
    }

    @Test func `other groups, other people and what is urgent keep no pace with it`() async throws {
        try await withWaiting { fixture, _ in
            try await fixture.store.register(.phone("bobs", token: "token-b"), for: .bob)
            _ = try await fixture.publish(
                fixture.entry("upvoted", "other group", to: [.ada], actor: "pete"),
                fixture.entry("upvoted", "other person", to: [.bob]),
                fixture.entry("upvoted", "urgent", to: [.bob], urgency: .urgent), at: .at(5))
            var texts: [String] = []
            for _ in 0..<2 {
                for job in try await fixture.store.leasePushJobs(at: .at(5)).jobs {
                    texts.append(job.body)
                    try await fixture.store.settle(job, as: .finish)
                }
            }
            #expect(Set(texts) == ["other group", "other person", "urgent"])
        }
    }

    @Test func `notifications that are read or seen in time are not counted`() async throws {
        try await withWaiting { fixture, ids in
            try await fixture.store.apply(.read(.ids([ids[0]])), for: .ada)
            try await fixture.store.apply(.remove(.ids([ids[2]])), for: .ada)
            let badge = try await fixture.job(at: .at(10))
            #expect((badge.message.badge, badge.message.withdrawn) == (2, []))
            try await fixture.store.settle(badge, as: .finish)
            let job = try await fixture.job(at: .at(3_600))
            #expect((job.message.notification, job.message.count, job.body) == (ids[1], 1, "two"))
        }
    }

    @Test(arguments: [false, true])
    func `tried again it is the same push, without what came later`(afterCrash: Bool) async throws {
        try await withWaiting { fixture, ids in
            let first = try await fixture.job(at: .at(3_600))
            try await fixture.publish("upvoted", "late", to: .ada, at: .at(3_601))
            if !afterCrash {
                let attempt = PushAttempt(failures: 1, expiry: first.attempt.expiry)
                try await fixture.store.settle(first, as: .retry(at: .at(3_700)), attempt: attempt)
            }
            let later = afterCrash ? try await fixture.reopened() : fixture
            let again = try await later.job(at: .at(9_000))
            #expect(again.message.collapseID == first.message.collapseID)
            #expect(again.parts.map(\.notification) == ids)
            #expect(again.attempt.failures == (afterCrash ? 0 : 1))
            try await later.store.settle(again, as: .finish)
            #expect(try await later.job(at: .at(9_000)).body == "late")
            if afterCrash { await later.store.close() }
        }
    }

    @Test func `it shrinks by what is read between two tries, and keeps its collapse id`() async throws {
        try await withWaiting { fixture, ids in
            let first = try await fixture.job(at: .at(3_600))
            try await fixture.store.apply(.read(.ids([ids[0]])), for: .ada, at: .at(3_600))
            try await fixture.store.settle(
                first, as: .retry(at: .at(3_700)), attempt: .init(failures: 1, expiry: first.attempt.expiry))
            let again = try await fixture.job(at: .at(3_700))
            #expect(again.parts.map(\.notification) == [ids[1], ids[2]])
            #expect((again.body, again.message.collapseID) == ("2 upvotes", ids[0].text))
        }
    }

    @Test func `all of it read while it was put off, nothing is sent`() async throws {
        try await withWaiting { fixture, _ in
            let first = try await fixture.job(at: .at(3_600))
            try await fixture.store.settle(
                first, as: .retry(at: .at(3_700)), attempt: .init(failures: 1, expiry: first.attempt.expiry))
            try await fixture.say("behind it", to: .ada, at: .at(3_610))
            #expect(try await fixture.store.leasePushJobs(at: .at(3_610)).jobs.isEmpty)
            fixture.store.acknowledge(.ada, upTo: 4)
            #expect(try await fixture.job(at: .at(3_610)).body == "behind it")
        }
    }

    @Test func `it is withdrawn when the last of it is read`() async throws {
        try await withWaiting { fixture, ids in
            try await fixture.store.settle(try await fixture.job(at: .at(3_600)), as: .finish, at: .at(3_600))
            for (index, id) in ids.enumerated() {
                try await fixture.store.apply(.read(.ids([id])), for: .ada, at: .at(3_700))
                let job = try await fixture.job(at: .at(3_703))
                #expect(job.message.withdrawn == (index == 2 ? [ids[0].text] : []))
                try await fixture.store.settle(job, as: .finish)
            }
        }
    }

    @Test func `the pace outlives the process`() async throws {
        try await withWaiting { first, _ in
            let second = try await first.reopened()
            try await second.publish("upvoted", "four", to: .ada, at: .at(10))
            #expect(try await second.job(at: .at(3_600)).body == "4 upvotes")
            await second.store.close()
        }
    }
}
