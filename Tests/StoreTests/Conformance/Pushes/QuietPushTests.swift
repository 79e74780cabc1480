import Inbox
import JSON
import Push
import SQLiteStore
import Store
import Testing

/// Pushes to people who are not to be disturbed.
@Suite(.everyEngine) struct QuietPushTests {
    private func jobs(_ fixture: StoreFixture, at now: Int64) async throws -> [PushJob] {
        try await fixture.store.leasePushJobs(at: .at(now)).jobs
    }

    // MARK: Quiet hours

    @Test func `pushes in quiet hours leave as one push at their end`() async throws {
        try await QuietTypes.withQuiet { fixture in
            try await fixture.publish("said", "one", to: .ada, at: .at(3_560))
            try await fixture.publish("scored", "two", to: .ada, at: .at(4_000))
            try await fixture.publish("upvoted", "three", to: .ada, at: .at(5_000))
            try await fixture.publish("upvoted", "four", to: .ada, at: .at(5_001))
            #expect(fixture.commits.last?.nextPushDue == [.apns: .at(7_160)])
            #expect(try await jobs(fixture, at: 7_159).isEmpty)
            let job = try await fixture.job(at: .at(7_160))
            let ids = try await fixture.ids(of: .ada)
            #expect((job.message.texts.title, job.body) == ("Golf", "4 new things"))
            #expect((job.message.count, job.message.badge, job.message.showsDigest) == (4, 4, true))
            #expect((job.message.notification, job.message.collapseID) == (ids[0], ids[3].text))
            try await fixture.store.settle(job, as: .finish)
            #expect(try await fixture.statistics().pushJobs == 0)
        }
    }

    @Test func `one that waited alone says its own words under its own name`() async throws {
        try await QuietTypes.withQuiet { fixture in
            try await fixture.publish("scored", "one", to: .ada, at: .at(3_700))
            let job = try await fixture.job(at: .at(7_160))
            #expect((job.body, job.message.count, job.message.showsDigest) == ("one", 1, false))
            try await fixture.store.settle(job, as: .finish)
            try await fixture.publish("scored", "two", to: .ada, at: .at(7_260))
            #expect(try await fixture.job(at: .at(7_260)).message.collapseID == job.message.collapseID)
        }
    }

    @Test func `urgent pushes pass`() async throws {
        try await QuietTypes.withQuiet { fixture in
            try await fixture.publish("said", "held", to: .ada, at: .at(3_560))
            try await fixture.publish("shouted", "now", to: .ada, at: .at(3_561))
            _ = try await fixture.publish(
                fixture.entry("said", "pressing", to: [.ada], urgency: .urgent), at: .at(3_562))
            for text in ["now", "pressing"] {
                let job = try await fixture.job(at: .at(3_562))
                #expect(job.body == text)
                try await fixture.store.settle(job, as: .finish)
            }
            #expect(try await fixture.job(at: .at(7_160)).body == "held")
        }
    }

    @Test func `a push that waits for a live session until after their beginning waits for their end`() async throws {
        try await QuietTypes.withQuiet { fixture in
            fixture.live.connect(.ada)
            try await fixture.publish("said", "late", to: .ada, at: .at(3_558))
            #expect(fixture.commits.last?.nextPushDue == [.apns: .at(7_160)])
            try await fixture.publish("said", "later", to: .ada, at: .at(7_158))
            #expect(fixture.commits.last?.nextPushDue == [.apns: .at(7_162)])
        }
    }

    @Test func `notifications that are read meanwhile are not counted, and not withdrawn`() async throws {
        try await QuietTypes.withQuiet { fixture in
            for text in ["one", "two", "three"] { try await fixture.publish("said", text, to: .ada, at: .at(3_560)) }
            let ids = try await fixture.ids(of: .ada)
            try await fixture.store.apply(.read(.ids([ids[1]])), for: .ada, at: .at(3_700))
            #expect(try await jobs(fixture, at: 3_800).isEmpty)
            let job = try await fixture.job(at: .at(7_160))
            #expect((job.body, job.message.badge) == ("2 new things", 2))
        }
    }

    @Test func `a push that is tried again in quiet hours waits for their end, as what it was`() async throws {
        try await QuietTypes.withQuiet { fixture in
            try await fixture.publish("said", "early", to: .ada, at: .at(3_550))
            let first = try await fixture.job(at: .at(3_550))
            try await fixture.store.settle(
                first, as: .retry(at: .at(3_610)), attempt: PushAttempt(failures: 1, expiry: first.attempt.expiry))
            try await fixture.publish("said", "held", to: .ada, at: .at(3_605))
            #expect(try await jobs(fixture, at: 3_610).isEmpty)
            try await fixture.publish("shouted", "now", to: .ada, at: .at(3_620))
            try await fixture.store.settle(try await fixture.job(at: .at(3_620)), as: .finish)
            var bodies: [String] = []
            for _ in 0..<2 {
                let job = try await fixture.job(at: .at(7_160))
                if job.body == "early" { #expect(job.message.collapseID == first.message.collapseID) }
                bodies.append(job.body)
                try await fixture.store.settle(job, as: .finish)
            }
            #expect(Set(bodies) == ["early", "held"])
        }
    }

    @Test func `a push that waits for their end after a failed try holds up nothing, also in the next process`()
        async throws
    {
        try await QuietTypes.withQuiet { fixture in
            try await fixture.publish("said", "early", to: .ada, at: .at(3_550))
            let first = try await fixture.job(at: .at(3_550))
            try await fixture.store.settle(
                first, as: .retry(at: .at(3_610)), attempt: PushAttempt(failures: 1, expiry: first.attempt.expiry))
            #expect(try await jobs(fixture, at: 3_610).isEmpty)
            let next = try await fixture.reopened()
            _ = try await next.publish(next.entry("said", "pressing", to: [.ada], urgency: .urgent), at: .at(3_620))
            #expect(try await jobs(next, at: 3_620).map(\.body) == ["pressing"])
            await next.store.close()
        }
    }

    @Test func `an outage into quiet hours makes one push of what was never tried`() async throws {
        try await QuietTypes.withQuiet { fixture in
            for text in ["one", "two"] { try await fixture.publish("said", text, to: .ada, at: .at(3_500)) }
            // The next request for jobs comes later.
            let leased = try await fixture.store.leasePushJobs(at: .at(3_700))
            #expect(leased.jobs.isEmpty)
            #expect(leased.nextDue == .at(7_160))
            #expect(try await fixture.job(at: .at(7_160)).body == "2 new things")
        }
    }

    @Test func `waiting does not use up a push's lifetime, but the publisher's word stands`() async throws {
        try await QuietTypes.withQuiet { fixture in
            _ = try await fixture.publish(
                fixture.entry("said", "kept", to: [.ada]),
                fixture.entry("said", "gone", to: [.ada], expiresAt: .at(7_000)), at: .at(3_559))
            #expect(try await jobs(fixture, at: 3_560).isEmpty)
            _ = try await fixture.publish(
                fixture.entry("said", "never", to: [.ada], expiresAt: .at(7_000)), at: .at(3_561))
            // The lifetime is an hour.
            let job = try await fixture.job(at: .at(7_260))
            #expect(job.body == "kept")
            #expect(job.message.expiry > .at(7_260))
        }
    }

    @Test(arguments: [false, true])
    func `tried again it is the same push, without what came later`(afterCrash: Bool) async throws {
        try await QuietTypes.withQuiet { fixture in
            for text in ["one", "two"] { try await fixture.publish("said", text, to: .ada, at: .at(3_700)) }
            let first = try await fixture.job(at: .at(7_160))
            if !afterCrash {
                try await fixture.store.settle(
                    first, as: .retry(at: .at(7_210)), attempt: PushAttempt(failures: 1, expiry: first.attempt.expiry))
            }
            let later = afterCrash ? try await fixture.reopened() : fixture
            let again = try await later.job(at: .at(7_210))
            #expect((again.body, again.message.collapseID) == ("2 new things", first.message.collapseID))
            if afterCrash { await later.store.close() }
        }
    }

    @Test func `pushes of several apps are not put together`() async throws {
        let other = QuietTypes.yaml.replacing("catalog: tests", with: "catalog: chess").replacing(
            "app: golf", with: "app: chess"
        )
        .replacing("title: Golf", with: "title: Chess")
        let chess = try Catalog(yaml: other, file: "chess.yaml")
        try await QuietTypes.withQuiet { fixture in
            for text in ["one", "two"] {
                try await fixture.publish("said", text, to: .ada, at: .at(3_700))
                let event = Event(
                    type: "said", actor: ["id": "u1", "username": "pete"], to: [.init(name: "people", users: [.ada])],
                    data: ["text": .string(text)])
                let entry = Publication.Entry(routed: try chess.route(event), id: "chess-\(text)", fingerprint: 1)
                _ = try await fixture.publish(entry, at: .at(3_701))
            }
            var titles: [String] = []
            for _ in 0..<2 {
                let job = try await fixture.job(at: .at(7_160))
                titles.append(job.message.texts.title)
                #expect(job.body == "2 new things")
                try await fixture.store.settle(job, as: .finish)
            }
            #expect(Set(titles) == ["Golf", "Chess"])
        }
    }

    // MARK: Settings that change

    @Test func `quiet hours that are given up set free what waits`() async throws {
        try await QuietTypes.withQuiet { fixture in
            for text in ["one", "two"] { try await fixture.publish("said", text, to: .ada, at: .at(3_700)) }
            #expect(try await jobs(fixture, at: 3_800).isEmpty)
            try await fixture.store.change(.quietHours(nil), for: .ada, at: .at(3_900))
            #expect(fixture.commits.last?.nextPushDue == [.apns: .at(3_900)])
            #expect(try await fixture.job(at: .at(3_900)).body == "2 new things")
        }
    }

    @Test func `a snooze holds back, from now on`() async throws {
        try await QuietTypes.withQuiet { fixture in
            fixture.live.connect(.ada)
            try await fixture.publish("said", "in its grace", to: .ada, at: .at(10))
            try await fixture.store.change(.snooze(until: .at(1_000)), for: .ada, at: .at(11))
            try await fixture.publish("said", "later", to: .ada, at: .at(12))
            #expect(try await jobs(fixture, at: 20).isEmpty)
            #expect(try await jobs(fixture, at: 999).isEmpty)
            #expect(try await fixture.job(at: .at(1_000)).body == "2 new things")
        }
    }

    @Test func `a snooze that is ended sooner sets free what waits`() async throws {
        try await QuietTypes.withQuiet { fixture in
            try await fixture.store.change(.snooze(until: .at(1_000)), for: .ada, at: .at(11))
            try await fixture.publish("said", "one", to: .ada, at: .at(12))
            try await fixture.store.change(.snooze(until: nil), for: .ada, at: .at(13))
            #expect(try await fixture.job(at: .at(13)).body == "one")
        }
    }

    @Test func `a snooze that is made longer holds back for longer`() async throws {
        try await QuietTypes.withQuiet { fixture in
            try await fixture.store.change(.snooze(until: .at(1_000)), for: .ada, at: .at(11))
            try await fixture.publish("said", "one", to: .ada, at: .at(12))
            try await fixture.store.change(.snooze(until: .at(2_000)), for: .ada, at: .at(13))
            #expect(try await jobs(fixture, at: 1_000).isEmpty)
            #expect(try await fixture.job(at: .at(2_000)).body == "one")
        }
    }

    @Test func `a push that the publisher put off is not set free with the rest`() async throws {
        try await QuietTypes.withQuiet { fixture in
            _ = try await fixture.publish(
                fixture.entry("said", "planned", to: [.ada], notBefore: .at(4_000)),
                fixture.entry("said", "held", to: [.ada], notBefore: .at(3_650)), at: .at(10))
            #expect(try await jobs(fixture, at: 3_700).isEmpty)
            try await fixture.store.change(.quietHours(nil), for: .ada, at: .at(3_700))
            let job = try await fixture.job(at: .at(3_700))
            #expect(job.body == "held")
            try await fixture.store.settle(job, as: .finish)
            #expect(try await jobs(fixture, at: 3_999).isEmpty)
            #expect(try await fixture.job(at: .at(4_000)).body == "planned")
        }
    }

    @Test func `a retry keeps its delay when quiet hours are given up`() async throws {
        try await QuietTypes.withQuiet { fixture in
            try await fixture.publish("said", "one", to: .ada, at: .at(3_700))
            let job = try await fixture.job(at: .at(7_160))
            try await fixture.store.settle(
                job, as: .retry(at: .at(7_500)), attempt: PushAttempt(failures: 1, expiry: job.attempt.expiry))
            try await fixture.store.change(.quietHours(nil), for: .ada, at: .at(7_260))
            #expect(try await jobs(fixture, at: 7_499).isEmpty)
            #expect(try await fixture.job(at: .at(7_500)).body == "one")
        }
    }
}
