import Inbox
import Push
import SQLiteStore
import Store
import Testing

@Suite(.everyEngine) struct PushQueueTests {
    /// A store in which ada has a phone.
    private func withPhone(
        _ configure: StoreFixture.Configuration = { _ in }, _ body: (StoreFixture) async throws -> Void
    ) async throws {
        try await withStore(configure) { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            try await body(fixture)
        }
    }

    private func texts(_ fixture: StoreFixture, at now: Timestamp) async throws -> [String] {
        try await fixture.store.leasePushJobs(at: now).jobs.map(\.body)
    }

    // MARK: Queueing

    @Test(
        arguments: [
            ("said", false, nil, Int64(0)), ("said", true, nil, 4), ("said", true, .urgent, 0),
            ("shouted", true, nil, 0),
            ("noted", false, nil, nil),
        ] as [(String, Bool, PushPolicy.Urgency?, Int64?)])
    func `a push is due at once, or after the grace if somebody may see it live`(
        _ type: String, isLive: Bool, urgency: PushPolicy.Urgency?, due: Int64?
    ) async throws {
        try await withPhone { fixture in
            if isLive { fixture.live.connect(.ada) }
            _ = try await fixture.publish(fixture.entry(type, to: [.ada, .bob], urgency: urgency), at: .at(10))
            let expected = due.map { Timestamp.at(10 + $0) }
            #expect(fixture.commits.last?.nextPushDue == expected.map { [.apns: $0] } ?? [:])
            #expect(try await fixture.store.leasePushJobs(at: .at(9)).nextDue == expected)
        }
    }

    @Test func `a job carries the content and the unread count of the moment it is handed out`() async throws {
        try await withPhone { fixture in
            fixture.live.connect(.ada)
            try await fixture.add(1, to: .ada, at: .at(0))
            try await fixture.add(2, to: .ada, at: .at(1))
            try await fixture.say("more", to: .ada, at: .at(100))
            let leased = try await fixture.store.leasePushJobs(at: .at(4))
            let job = try #require(leased.jobs.first)
            #expect(leased.jobs.count == 1)
            #expect((job.body, job.message.rev, job.message.badge, job.message.count) == ("3 things", 2, 2, 1))
            #expect((job.user, job.device) == (.ada, .phone()))
            let state = try await fixture.store.state(of: .ada)
            #expect(job.message.position == PushMessage.Position(epoch: state.epoch, seq: state.seq))
            let id = try await fixture.ids(of: .ada).last
            #expect((job.message.notification, job.parts.map(\.notification)) == (id, [id]))
            #expect(job.message.collapseID == id?.text)
            #expect(job.attempt == PushAttempt(failures: 0, expiry: .at(86_404)))
            #expect(leased.nextDue == .at(34))
        }
    }

    @Test func `each device gets a job of its own`() async throws {
        try await withPhone { fixture in
            try await fixture.store.register(.phone("tablet", token: "token-2"), for: .ada)
            try await fixture.say("hi", to: .ada)
            let jobs = try await fixture.store.leasePushJobs(at: .at(0)).jobs
            #expect(Set(jobs.map(\.device.id)) == ["phone", "tablet"])
        }
    }

    // MARK: Leasing

    @Test func `jobs come oldest first, within the limit, and not twice while on lease`() async throws {
        try await withPhone { fixture in
            for (user, second) in [(UserID.ada, Int64(3)), (.bob, 1), (.cleo, 2)] {
                try await fixture.store.register(.phone("phone", token: user.name), for: user)
                try await fixture.say("at \(second)", to: user, at: .at(second))
            }
            let first = try await fixture.store.leasePushJobs(2, at: .at(5))
            #expect(first.jobs.map(\.body) == ["at 1", "at 2"])
            #expect(first.nextDue == .at(35))
            #expect(try await texts(fixture, at: .at(6)) == ["at 3"])
            #expect(try await fixture.store.leasePushJobs(at: .at(34)).jobs.isEmpty)
            #expect(try await texts(fixture, at: .at(35)) == ["at 1", "at 2"])
        }
    }

    @Test func `a device gets one push at a time, so that none overtakes another`() async throws {
        try await withPhone { fixture in
            for second in [Int64(3), 1, 2] { try await fixture.say("at \(second)", to: .ada, at: .at(second)) }
            for text in ["at 1", "at 2", "at 3"] {
                let jobs = try await fixture.store.leasePushJobs(at: .at(5)).jobs
                #expect(jobs.map(\.body) == [text])
                #expect(try await fixture.store.leasePushJobs(at: .at(5)).jobs.isEmpty)
                for job in jobs { try await fixture.store.settle(job, as: .finish) }
            }
        }
    }

    @Test func `leases of a process that ended are over when the store is opened, or at their end`() async throws {
        try await withPhone { first in
            try await first.say("hi", to: .ada)
            #expect(try await texts(first, at: .at(0)) == ["hi"])
            let second = try await first.reopened()
            // Another process may have them, where several have the store.
            if Engine.current == .postgres { #expect(try await texts(second, at: .at(29)).isEmpty) }
            #expect(try await texts(second, at: .at(Engine.current == .postgres ? 30 : 0)) == ["hi"])
            await second.store.close()
        }
    }

    @Test func `a job past its expiry is dropped`() async throws {
        let configure: StoreFixture.Configuration = { $0.pushExpiry = .seconds(60) }
        try await withPhone(configure) { fixture in
            try await fixture.say("old", to: .ada, at: .at(0))
            try await fixture.say("new", to: .ada, at: .at(1))
            #expect(try await fixture.store.leasePushJobs(1, at: .at(60)).jobs.map(\.body) == ["new"])
            #expect(try await fixture.statistics().pushJobs == 1)
        }
    }

    // MARK: Settling

    @Test(arguments: [PushAction.finish, .abandon(reason: "BadTopic")])
    func `a job that is done or given up is gone`(_ action: PushAction) async throws {
        try await withPhone { fixture in
            try await fixture.say("hi", to: .ada)
            let job = try #require(try await fixture.store.leasePushJobs(at: .at(0)).jobs.first)
            try await fixture.store.settle(job, as: action)
            let later = try await fixture.store.leasePushJobs(at: .at(100))
            #expect(later.jobs.isEmpty)
            #expect(later.nextDue == nil)
        }
    }

    @Test func `a job to try again comes back when it is due and knows its failures`() async throws {
        try await withPhone { fixture in
            try await fixture.say("hi", to: .ada)
            let job = try #require(try await fixture.store.leasePushJobs(at: .at(0)).jobs.first)
            let attempt = PushAttempt(failures: 3, expiry: job.attempt.expiry)
            try await fixture.store.settle(job, as: .retry(at: .at(9)), attempt: attempt)
            #expect(fixture.commits.last?.nextPushDue == [.apns: .at(9)])
            #expect(try await fixture.store.leasePushJobs(at: .at(8)).nextDue == .at(9))
            let again = try #require(try await fixture.store.leasePushJobs(at: .at(9)).jobs.first)
            #expect(again.attempt == attempt)
        }
    }

    @Test func `a device that is gone takes its jobs along`() async throws {
        try await withPhone { fixture in
            try await fixture.say("one", to: .ada)
            try await fixture.say("two", to: .ada)
            let job = try #require(try await fixture.store.leasePushJobs(1, at: .at(0)).jobs.first)
            try await fixture.store.settle(job, as: .forgetDevice)
            #expect(try await fixture.statistics().pushJobs == 0)
            #expect(try await fixture.store.owner(ofDevice: "phone") == nil)
            try await fixture.say("three", to: .ada)
            #expect(try await fixture.statistics().pushJobs == 0)
        }
    }

    @Test func `a device with a new token stays, and its job is tried under that`() async throws {
        try await withPhone { fixture in
            try await fixture.say("hi", to: .ada)
            let job = try #require(try await fixture.store.leasePushJobs(at: .at(0)).jobs.first)
            try await fixture.store.register(.phone(token: "token-9", at: .at(1)), for: .ada)
            try await fixture.store.settle(job, as: .forgetDevice)
            let again = try await fixture.store.leasePushJobs(at: .at(1)).jobs
            #expect(again.map(\.device.token) == ["token-9"])
        }
    }

    @Test func `a job that is settled after it was cancelled touches no other job`() async throws {
        try await withPhone { fixture in
            try await fixture.say("one", to: .ada)
            let job = try #require(try await fixture.store.leasePushJobs(at: .at(0)).jobs.first)
            try await fixture.store.apply(.read(.upTo(1)), for: .ada)
            try await fixture.say("two", to: .ada, at: .at(1))
            for action in [PushAction.finish, .retry(at: .at(500)), .abandon(reason: "no")] {
                try await fixture.store.settle(job, as: action)
            }
            #expect(try await texts(fixture, at: .at(1)) == ["two"])
        }
    }

    // MARK: Cancelling

    @Test func `an acknowledgement cancels what it covers, but never what is always pushed`() async throws {
        try await withPhone { fixture in
            try await fixture.say("one", to: .ada)
            _ = try await fixture.publish(fixture.entry("shouted", "two", to: [.ada]))
            try await fixture.say("three", to: .ada)
            fixture.store.acknowledge(.ada, upTo: 2)
            #expect(try await texts(fixture, at: .at(9)) == ["two"])
            fixture.store.acknowledge(.ada, upTo: 3)
            #expect(try await fixture.store.leasePushJobs(at: .at(99)).jobs.map(\.body) == ["two"])
        }
    }

    @Test(arguments: [InboxCommand.read(.upTo(2)), .remove(.upTo(2))])
    func `a notification that was read or removed is not pushed`(_ command: InboxCommand) async throws {
        try await withPhone { fixture in
            try await fixture.say("one", to: .ada)
            _ = try await fixture.publish(fixture.entry("shouted", "two", to: [.ada]))
            try await fixture.say("three", to: .ada)
            try await fixture.store.apply(command, for: .ada)
            #expect(try await texts(fixture, at: .at(9)) == ["three"])
        }
    }

    @Test func `an acknowledgement of another person cancels nothing`() async throws {
        try await withPhone { fixture in
            try await fixture.store.register(.phone("bobs", token: "token-b"), for: .bob)
            try await fixture.say("one", to: .ada, .bob)
            fixture.store.acknowledge(.bob, upTo: 1)
            #expect(try await fixture.store.leasePushJobs(at: .at(0)).jobs.map(\.user) == [.ada])
        }
    }

    @Test func `an acknowledgement of more than there is cancels what there is, and nobody else's pushes`() async throws
    {
        try await withPhone { fixture in
            try await fixture.store.register(.phone("bobs", token: "token-b"), for: .bob)
            try await fixture.say("one", to: .ada, .bob)
            fixture.store.acknowledge(.ada, upTo: .max)
            #expect(try await fixture.store.leasePushJobs(at: .at(0)).jobs.map(\.user) == [.bob])
            try await fixture.say("two", to: .ada)
            #expect(try await texts(fixture, at: .at(9)) == ["two"])
        }
    }
}
