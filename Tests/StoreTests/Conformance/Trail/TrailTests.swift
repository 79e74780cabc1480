import Inbox
import Push
import SQLiteStore
import Store
import Testing

@Suite(.everyEngine) struct TrailTests {
    // MARK: Decisions

    @Test("an event's trail names everybody whom it was about, those who got nothing included")
    func everybody() async throws {
        try await withStore { fixture in
            try await fixture.say("before", to: .bob)
            fixture.live.connect(.ada)
            let event = try await fixture.event("said", to: .ada, .bob, .user("renee"), at: .at(5))
            let report = try await fixture.report(event)
            #expect((report.event.id, report.event.type, report.event.publisher) == (event, "said", "backend"))
            #expect((report.event.actor, report.event.acceptedAt) == ("renee", .at(5)))
            #expect(
                report.recipients.map(\.decision) == [.created(.noDevice), .created(.noDevice), .isActor])
            #expect(report.recipients.map(\.user) == [.ada, .bob, .user("renee")])
            #expect(report.recipients.map(\.wasLive) == [true, false, false])
            #expect(report.recipients.map(\.type) == ["SAID", "SAID", nil])
            #expect(report.recipients.map(\.state) == [.unseen, .unseen, nil])
            #expect(report.recipients.map(\.notification?.sequence) == [1, 2, nil])
            let summary = report.summary
            #expect((summary.people, summary.created, summary.suppressed, summary.live) == (3, 2, 1, 1))
        }
    }

    @Test("a recipient list that no route names leaves its people in the trail") func unrouted() async throws {
        try await withStore { fixture in
            let entry = try fixture.entry("said", to: [.ada], others: [.bob])
            _ = try await fixture.publish(entry)
            let recipients = try await fixture.report(entry.id).recipients
            #expect(recipients.map(\.user) == [.ada, .bob])
            #expect(recipients.map(\.decision) == [.created(.noDevice), .unrouted])
        }
    }

    @Test("a trail tells a batch's growth apart from its beginning") func growth() async throws {
        try await withStore { fixture in
            let first = try await fixture.event("added", to: .ada)
            let second = try await fixture.event("added", to: .ada, at: .at(9))
            let (one, other) = (try await fixture.report(first), try await fixture.report(second))
            #expect(one.recipients.map(\.decision) == [.created(.noDevice)])
            #expect(other.recipients.map(\.decision) == [.grew(.batched)])
            #expect(one.recipients.map(\.notification) == other.recipients.map(\.notification))
            #expect((other.summary.created, other.summary.grown) == (0, 1))
        }
    }

    @Test("a key that comes again is counted, and finds the event") func repeats() async throws {
        try await withStore { fixture in
            let event = try await fixture.event("said", to: .ada, key: "k")
            #expect(try await fixture.event("said", to: .ada, key: "k", at: .at(3)) == event)
            #expect(try await fixture.event("said", to: .ada, key: "k", at: .at(4)) == event)
            let report = try #require(
                try await fixture.store.trail(of: TrailQuery(.key("k", publisher: "backend"))))
            #expect((report.event.id, report.event.key) == (event, "k"))
            #expect((report.event.repeats, report.event.repeatedAt) == (2, .at(4)))
            #expect(try await fixture.store.trail(of: TrailQuery(.key("k", publisher: "other"))) == nil)
            #expect(try await fixture.store.trail(of: TrailQuery(.id("evt_none"))) == nil)
        }
    }

    @Test("recipients come in pages that fit together") func pages() async throws {
        try await withStore { fixture in
            let users = (0..<25).map { UserID.user("user-\($0)") }
            let entry = try fixture.entry("said", to: users)
            _ = try await fixture.publish(entry)
            var (found, after): ([UserID?], Int?) = ([], 0)
            while let start = after {
                let query = TrailQuery(.id(entry.id), after: start, limit: 10)
                let report = try #require(try await fixture.store.trail(of: query))
                #expect(report.summary.created == 25)
                found += report.recipients.map(\.user)
                after = report.next
            }
            #expect(found == users)
        }
    }

    // MARK: Steps

    @Test("the fate of a push is told in order: put off, sent") func sent() async throws {
        try await withPhone { fixture in
            let event = try await fixture.event("said", to: .ada)
            #expect(
                try await fixture.report(event).recipients.map(\.decision) == [
                    .created(.queued(devices: 1, due: .at(0), hold: .none))
                ])
            #expect(try await fixture.report(event).summary.pushes.waiting == 1)
            let job = try await fixture.job(at: .at(1))
            var attempt = job.attempt
            let action = attempt.settle(
                .busy(retryAfter: .seconds(30), scope: .provider), at: .at(1), jitter: 0, device: job.device)
            try await fixture.store.settle(job, as: action, attempt: attempt, at: .at(1))
            let again = try await fixture.job(at: .at(31))
            try await fixture.store.settle(again, as: .finish, at: .at(32))
            let recipient = try #require(try await fixture.report(event).recipients.first)
            #expect(recipient.steps.map(\.step) == [.putOff(until: .at(31), .provider), .sent])
            #expect(recipient.steps.map(\.at) == [.at(1), .at(32)])
            #expect(recipient.steps.map(\.provider) == [.apns, .apns])
            #expect(recipient.steps.map(\.device) == ["phone", "phone"])
            let pushes = try await fixture.report(event).summary.pushes
            #expect((pushes.queued, pushes.sent, pushes.waiting) == (1, 1, 0))
        }
    }

    @Test("a job that is given back untried leaves no step") func givenBack() async throws {
        try await withPhone { fixture in
            let event = try await fixture.event("said", to: .ada)
            let job = try await fixture.job(at: .at(1))
            try await fixture.store.settle(job, as: .retry(at: .at(1)), at: .at(1))
            #expect(try await fixture.steps(event) == [])
        }
    }

    @Test("a refusal is told in the provider's word, in the summary too") func refused() async throws {
        try await withPhone { fixture in
            let event = try await fixture.event("said", to: .ada)
            let job = try await fixture.job(at: .at(1))
            try await fixture.store.settle(job, as: .abandon(reason: "BadTopic"), at: .at(2))
            #expect(try await fixture.steps(event) == [.refused(reason: "BadTopic")])
            let summary = try await fixture.report(event).summary
            #expect(summary.pushes.refused == 1)
            #expect(summary.failures == [.init(provider: .apns, reason: "BadTopic", count: 1)])
        }
    }

    @Test("a device that is gone, and a push that nobody needs by now, are steps") func goneAndExpired() async throws {
        try await withPhone { fixture in
            let late = try await fixture.event("said", to: .ada)
            #expect(try await fixture.store.leasePushJobs(at: .at(90_000)).jobs.isEmpty)
            #expect(try await fixture.steps(late) == [.expired])
            let event = try await fixture.event("said", to: .ada, at: .at(90_000))
            let job = try await fixture.job(at: .at(90_001))
            try await fixture.store.settle(job, as: .forgetDevice, at: .at(90_002))
            #expect(try await fixture.steps(event) == [.deviceGone])
        }
    }

    @Test("an acknowledgement that cancels a push says so, and when") func acknowledged() async throws {
        try await withPhone { fixture in
            fixture.live.connect(.ada)
            let event = try await fixture.event("said", to: .ada)
            #expect(
                try await fixture.report(event).recipients.map(\.decision) == [
                    .created(.queued(devices: 1, due: .at(4), hold: .grace))
                ])
            fixture.store.acknowledge(.ada, upTo: 1, at: .at(2))
            // Acknowledgements are not answered; this is written behind it.
            try await fixture.say("later", to: .bob)
            #expect(try await fixture.steps(event) == [.cancelled(.acknowledged)])
            let report = try await fixture.report(event)
            #expect(report.recipients.first?.steps.map(\.at) == [.at(2)])
            #expect((report.summary.acknowledged, report.summary.pushes.cancelled) == (1, 1))
        }
    }

    @Test(
        "reading or removing a notification cancels its push, and takes from the screen what is there",
        arguments: [InboxCommand.read(.upTo(2)), .remove(.upTo(2))])
    func dismissed(_ command: InboxCommand) async throws {
        let cause: TrailStep.Cause = if case .read = command { .read } else { .removed }
        try await withPhone { fixture in
            let shown = try await fixture.event("said", to: .ada)
            try await fixture.store.settle(try await fixture.job(at: .at(0)), as: .finish, at: .at(1))
            let waiting = try await fixture.event("said", to: .ada, at: .at(2))
            try await fixture.store.apply(command, for: .ada, at: .at(3))
            #expect(try await fixture.steps(shown) == [.sent, .withdrawn(cause)])
            #expect(try await fixture.steps(waiting) == [.cancelled(cause)])
            let state = try await fixture.report(waiting).recipients.first?.state
            #expect(state == (cause == .read ? .read : .gone))
        }
    }

    @Test("pushes that leave as one: the newest is sent, the others are folded into it") func folded() async throws {
        try await withPhone { fixture in
            let first = try await fixture.event("upvoted", to: .ada)
            try await fixture.store.settle(try await fixture.job(at: .at(0)), as: .finish)
            let second = try await fixture.event("upvoted", to: .ada, at: .at(10))
            let third = try await fixture.event("upvoted", to: .ada, at: .at(20))
            #expect(
                try await fixture.report(third).recipients.map(\.decision) == [
                    .created(.queued(devices: 1, due: .at(3_600), hold: .pace))
                ])
            try await fixture.store.settle(try await fixture.job(at: .at(3_600)), as: .finish, at: .at(3_601))
            #expect(try await fixture.steps(first) == [.sent])
            #expect(try await fixture.steps(second) == [.folded(into: 3)])
            #expect(try await fixture.steps(third) == [.sent])
        }
    }

    // MARK: A person's trail

    @Test("a person's trail has what was decided about them, the newest first, in pages") func personal() async throws {
        try await withStore { fixture in
            var events: [String] = []
            for second in 0..<5 {
                events.append(try await fixture.event("said", to: .ada, at: .at(Int64(second))))
                _ = try await fixture.event("said", to: .bob, at: .at(Int64(second)))
            }
            let first = try #require(try await fixture.store.trail(of: .ada, limit: 3))
            #expect(first.entries.map(\.event.id) == [events[4], events[3], events[2]])
            #expect(first.entries.first?.decisions.map(\.decision) == [.created(.noDevice)])
            let rest = try #require(try await fixture.store.trail(of: .ada, before: first.next, limit: 3))
            #expect(rest.entries.map(\.event.id) == [events[1], events[0]])
            #expect(rest.next == nil)
            #expect(try await fixture.store.trail(of: .user("nobody")) == nil)
        }
    }

    private func withPhone(_ body: (StoreFixture) async throws -> Void) async throws {
        try await withStore { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            try await body(fixture)
        }
    }
}
