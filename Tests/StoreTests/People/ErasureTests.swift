import Deliveries
import GRDB
import Inbox
import JSON
import Push
import SQLiteStore
import Store
import Testing

struct ErasureTests {
    private static func small(_ options: inout SQLiteStoreOptions) {
        (options.erasuresPerStep, options.recipientsPerPage) = (2, 3)
    }

    /// Ada with everything that can be kept about a person.
    private static func fill(_ fixture: StoreFixture) async throws {
        for text in ["one", "two", "three"] { try await fixture.say(text, to: .ada) }
        try await fixture.say("for both", to: .ada, .bob)
        try await fixture.store.register(.phone(), for: .ada)
        try await fixture.say("pushed", to: .ada)
        try await fixture.store.apply(.seen(upTo: 5), for: .ada)
        try await fixture.store.write(try UserProfile(json: ["email": "ada@example.com"]), of: .ada)
        try await fixture.store.changeMembers(of: "room:1", adding: [.ada, .bob])
        try await fixture.store.changeMembers(of: "ada's", adding: [.ada])
    }

    @Test func `erasing a person removes all of it and tells how much that was`() async throws {
        try await withStore(Self.small) { fixture in
            try await Self.fill(fixture)
            let store = fixture.store
            let epoch = try await store.state(of: .ada).epoch
            let report = try await store.erase(.ada)
            #expect(report.hadInbox && report.hadProfile)
            #expect((report.notifications, report.contents, report.changes) == (5, 4, 1))
            #expect((report.devices, report.pushes, report.topics) == (1, 1, 2))
            #expect(try await store.profile(of: .ada) == nil)
            #expect(try await store.user(withEmail: "ada@example.com") == nil)
            #expect(try await store.devices(of: .ada) == [])
            #expect(try await store.members(of: "room:1")?.members == [.bob])
            #expect(try await store.members(of: "ada's") == nil)
            let statistics = try await fixture.statistics()
            #expect((statistics.inboxes, statistics.notifications, statistics.contents) == (1, 1, 1))
            #expect((statistics.devices, statistics.pushJobs, statistics.unreadDrift) == (0, 0, 0))
            #expect(try await fixture.texts(of: .bob) == ["for both"])
            #expect(try await store.erase(.ada) == ErasureReport())
            // A person who comes back starts anew.
            try await fixture.say("again", to: .ada)
            let state = try await store.state(of: .ada)
            #expect(state.epoch != epoch)
            #expect((state.seq, state.unread) == (1, 1))
            #expect(try await fixture.texts(of: .ada) == ["again"])
        }
    }

    @Test func `nobody gets the number of an inbox that is gone`() async throws {
        try await withStore { fixture in
            try await fixture.say("hi", to: .ada)
            let old = try #require(try await fixture.ids(of: .ada).first)
            try await fixture.store.erase(.ada)
            try await fixture.say("hi", to: .bob)
            let new = try #require(try await fixture.ids(of: .bob).first)
            #expect(new.inbox > old.inbox)
            #expect(try await fixture.store.apply(.read(.ids([old])), for: .bob).count == 0)
        }
    }

    @Test(
        arguments: [
            .finish, .abandon(reason: "no"), .retry(at: .at(9)), .forgetDevice,
        ] as [PushAction], [false, true])
    func `the fate of a push that is on its way is not kept of somebody who is gone`(
        action: PushAction, isBack: Bool
    ) async throws {
        try await withStore { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            try await fixture.say("hi", to: .ada)
            let job = try await fixture.job(at: .at(0))
            try await fixture.store.erase(.ada)
            if isBack {
                try await fixture.store.register(.phone(), for: .ada)
                try await fixture.say("again", to: .ada)
            }
            var attempt = job.attempt
            _ = attempt.settle(.busy(retryAfter: nil, scope: .device), at: .at(1), jitter: 0, device: job.device)
            try await fixture.store.settle(job, as: action, attempt: attempt, at: .at(1))
            let database = try DatabaseQueue(path: fixture.folder + "/belfry.sqlite")
            let steps = try await database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM trail_step") }
            #expect(steps == 0)
            // Their new notification has the old one's number.
            let left = try await fixture.store.leasePushJobs(at: .at(60)).jobs.map(\.body)
            #expect(left == (isBack ? ["again"] : []))
        }
    }

    @Test func `an erasure that was broken off is finished later`() async throws {
        let fixture = try StoreFixture(Self.small)
        try await Self.fill(fixture)
        // The store closes behind the first step: the person is unknown, their rows are still there.
        await withCheckedContinuation { waiting in
            fixture.store.erase(.ada) { result in #expect(result == .failure(.closed)) }
            fixture.store.close { waiting.resume() }
        }
        let again = try StoreFixture(folder: fixture.folder, Self.small)
        #expect(try await again.store.profile(of: .ada) == nil)
        #expect(try await again.statistics().contents > 1)
        #expect(try await again.store.finishErasures() == 1)
        #expect(try await again.store.finishErasures() == 0)
        #expect(try await again.statistics().notifications == 1)
        #expect(try await again.statistics().contents == 1)
        await again.remove()
    }

    @Test func `a caller who asks again for an erasure that was broken off hears when it is done`() async throws {
        let fixture = try StoreFixture(Self.small)
        try await Self.fill(fixture)
        await withCheckedContinuation { waiting in
            fixture.store.erase(.ada) { _ in }
            fixture.store.close { waiting.resume() }
        }
        let again = try StoreFixture(folder: fixture.folder, Self.small)
        #expect(try await again.store.erase(.ada) == ErasureReport())
        #expect(try await again.statistics().contents == 1)
        #expect(try await again.store.finishErasures() == 0)
        await again.remove()
    }

    @Test func `an acknowledgement that comes after the erasure does not bring an erased person back`() async throws {
        try await withStore(Self.small) { fixture in
            try await Self.fill(fixture)
            try await fixture.store.erase(.ada)
            fixture.store.acknowledge(.ada, upTo: 5)
            // Writes are done in their order.
            try await fixture.say("hi", to: .bob)
            #expect(try await fixture.statistics().inboxes == 1)
        }
    }

    @Test func `an event that is on its way does not bring an erased person back`() async throws {
        try await withStore(Self.small) { fixture in
            let users = (0..<7).map { UserID.user("user-\($0)") }
            for user in users { try await fixture.say("before", to: user) }
            var list = Event.RecipientList(name: "people", users: users)
            list.own[users[5]] = ["text": "own"]
            let event = Event(type: "noted", to: [list], data: ["text": "hi"])
            let id = try #require(try await fixture.publish(fixture.entry(event)).first).event
            try await fixture.store.deliverPage(of: id, by: fixture.catalog)
            try await fixture.store.erase(users[4])
            try await fixture.store.erase(users[5])
            try await fixture.store.deliverAll(of: id, by: fixture.catalog)
            #expect(try await fixture.store.broadcast(of: id)?.created == 5)
            #expect(try await fixture.texts(of: users[6]) == ["hi", "before"])
            #expect(try await fixture.statistics().inboxes == 5)
        }
    }
}
