import Inbox
import Push
import SQLiteStore
import Store
import Testing

/// Pushes that waited, and pushes that were shown, after a store of an older version was brought up to date.
struct EarlierPushTests {
    /// Ada has a phone (1), a tablet (2) and a watch (3), bob a phone (4).
    private func withDevices(
        yaml: String = StoreFixture.yaml, _ body: (StoreFixture) async throws -> Void
    ) async throws {
        try await withStore(yaml: yaml) { fixture in
            try await fixture.store.register(device("phone", .apns), for: .ada)
            try await fixture.store.register(device("tablet", .fcm), for: .ada)
            try await fixture.store.register(device("watch", .onesignal), for: .ada)
            try await fixture.store.register(device("bobs", .apns), for: .bob)
            try await body(fixture)
        }
    }

    private func device(_ id: String, _ provider: Device.Provider, at time: Timestamp = .at(0)) -> Device {
        Device(id: id, provider: provider, token: "token-\(id)-\(provider)", registeredAt: time)
    }

    private func sent(_ id: String, _ provider: Device.Provider, at second: Int64) -> TrailedRecipient.Step {
        TrailedRecipient.Step(at: .at(second), step: .sent, provider: provider, device: id)
    }

    private func steps(_ event: String, _ fixture: StoreFixture) async throws -> [TrailedRecipient.Step] {
        try await fixture.report(event, of: .ada).recipients.flatMap(\.steps)
    }

    /// The only push that is due, and is accepted.
    private func accept(
        of provider: Device.Provider = .apns, at time: Timestamp, _ fixture: StoreFixture
    ) async throws -> PushJob {
        let job = try await fixture.job(of: provider, at: time)
        try await fixture.store.settle(job, as: .finish, at: time)
        return job
    }

    // MARK: Waiting

    private func waiting(_ fixture: StoreFixture) async throws -> [Device.Provider: Int64] {
        try await fixture.statistics().pushJobsByProvider.filter { $0.value > 0 }
    }

    @Test func `pushes that waited leave in their order and at their time, to each device by itself`() async throws {
        try await withDevices { before in
            for text in ["one", "two", "three"] { try await before.say(text, to: .ada, .bob) }
            let ever = Timestamp(milliseconds: .max)
            let fixture = try await before.reopened(withEarlier: [
                .waiting(1, for: 1, at: .at(5)), .waiting(2, for: 1, at: .at(3)), .waiting(3, for: 1, at: .at(3)),
                .waiting(1, for: 2, .fcm, at: .at(3)), .waiting(2, for: 2, .fcm, at: Timestamp(milliseconds: -1)),
                .waiting(3, for: 2, .fcm, at: ever),
                .waiting(1, for: 4, at: .at(3)), .waiting(2, for: 4, at: .at(9)) { $0.failures = 2 },
            ])
            #expect(try await waiting(fixture) == [.apns: 5, .fcm: 3])
            for (body, time) in [("two", Int64(3)), ("three", 3), ("one", 5)] {
                let job = try await accept(at: .at(time), fixture)
                #expect((job.user, job.body) == (.ada, body))
            }
            // A failed push holds up bob's phone until its time, and goes first then.
            #expect(try await fixture.store.leasePushJobs(at: .at(8)).jobs.isEmpty)
            for (body, failures) in [("two", 2), ("one", 0)] {
                let job = try await accept(at: .at(9), fixture)
                #expect((job.user, job.body, job.attempt.failures) == (.bob, body, failures))
            }
            for body in ["two", "one"] { #expect(try await accept(of: .fcm, at: .at(3), fixture).body == body) }
            let next = try await fixture.store.leasePushJobs(for: .fcm, at: .at(4))
            let due = try #require(next.nextDue)
            #expect(next.jobs.isEmpty && due < ever)
            #expect(try await accept(of: .fcm, at: due, fixture).body == "three")
            #expect(try await fixture.statistics().pushJobs == 0)
            await fixture.store.close()
        }
    }

    @Test func `pushes that were to leave as one do, and those to be withdrawn are`() async throws {
        try await withDevices { before in
            for text in ["one", "two"] { try await before.say(text, to: .ada) }
            let parts = [Int64(1), 2].map { notification in
                EarlierPush.waiting(notification, for: 1, at: .at(3)) {
                    ($0.fold, $0.collapse, $0.failures) = (("UPVOTED:renee", 1), "fold", 1)
                }
            }
            let badge = EarlierPush.waiting(-1, for: 2, .fcm, at: .at(3)) { $0.withdrawn = "a b" }
            let fixture = try await before.reopened(withEarlier: parts + [badge])
            let fold = try await accept(at: .at(3), fixture)
            #expect((fold.message.count, fold.message.collapseID, fold.attempt.failures) == (2, "fold", 1))
            let withdrawing = try await accept(of: .fcm, at: .at(3), fixture)
            #expect((withdrawing.message.badge, withdrawing.message.withdrawn) == (2, ["a", "b"]))
            #expect(try await fixture.statistics().pushJobs == 0)
            await fixture.store.close()
        }
    }

    @Test func `a push that waited is cancelled as before, and follows its device to another provider`()
        async throws
    {
        try await withDevices { before in
            for text in ["one", "two", "three"] { try await before.say(text, to: .ada) }
            let fixture = try await before.reopened(withEarlier: [
                .waiting(1, for: 1, at: .at(5)) { $0.seq = 3 }, .waiting(2, for: 1, at: .at(3)),
                .waiting(3, for: 1, at: .at(3)), .waiting(1, for: 2, .fcm, at: .at(3)),
            ])
            fixture.store.acknowledge(.ada, upTo: 2)
            try await fixture.store.register(device("phone", .fcm, at: .at(4)), for: .ada)
            #expect(try await waiting(fixture) == [.fcm: 2])
            for body in ["three", "one"] { #expect(try await accept(of: .fcm, at: .at(5), fixture).body == body) }
            await fixture.store.close()
        }
    }

    @Test(arguments: [PushAction.finish, .abandon(reason: "no")])
    func `a push to be replaced is withdrawn once the next has come, or else once it is read`(_ action: PushAction)
        async throws
    {
        try await withDevices { before in
            try await before.say("one", to: .ada)
            let fixture = try await before.reopened(withEarlier: [
                .waiting(1, for: 1, at: .at(3)) {
                    ($0.collapse, $0.isShown, $0.shownAs) = ("later", true, "earlier")
                }
            ])
            let job = try await fixture.job(at: .at(3))
            #expect(job.message.collapseID == "later")
            try await fixture.store.settle(job, as: action, at: .at(3))
            if action == .finish {
                #expect(try await accept(at: .at(10), fixture).message.withdrawn == ["earlier"])
            } else {
                #expect(try await fixture.store.leasePushJobs(at: .at(10)).jobs.isEmpty)
            }
            try await fixture.store.apply(.read(.upTo(1)), for: .ada, at: .at(10))
            let withdrawn = try await accept(at: .at(20), fixture).message.withdrawn
            #expect(withdrawn == [action == .finish ? "later" : "earlier"])
            await fixture.store.close()
        }
    }

    // MARK: Shown

    @Test func `shown pushes are withdrawn when they are read, and the trail tells when and through whom they went`()
        async throws
    {
        try await withDevices { before in
            let event = try await before.event("said", "one", to: .ada)
            let second = try await before.event("said", "two", to: .ada)
            let ids = try await before.ids(of: .ada)
            let own = try #require(ids.last).text
            let fixture = try await before.reopened(withEarlier: [
                .shown(1, by: 1, at: .at(2)), .shown(1, by: 2, .fcm, as: "shared", at: .at(4)),
                .shown(2, by: 2, .fcm, as: "shared"), .shown(1, by: 3, .apns, as: "watched", at: .at(3)),
            ])
            #expect(try await fixture.statistics().pushJobs == 0)
            let told = [sent("phone", .apns, at: 2), sent("watch", .apns, at: 3), sent("tablet", .fcm, at: 4)]
            #expect(try await steps(event, fixture) == told)
            #expect(try await steps(second, fixture) == [])
            try await fixture.store.apply(.read(.ids([try #require(ids.last)])), for: .ada, at: .at(5))
            let withdrawn = [("phone", Device.Provider.apns), ("tablet", .fcm), ("watch", .onesignal)].map {
                id, provider in
                TrailedRecipient.Step(at: .at(5), step: .withdrawn(.read), provider: provider, device: id)
            }
            let both = try await steps(event, fixture)
            #expect(Set(both) == Set(told + withdrawn))
            #expect(try await accept(at: .at(10), fixture).message.withdrawn == [own])
            #expect(try await accept(of: .onesignal, at: .at(10), fixture).message.withdrawn == ["watched"])
            // The other one is still there under that id.
            #expect(try await accept(of: .fcm, at: .at(10), fixture).message.withdrawn == [])
            try await fixture.store.apply(.read(.upTo(2)), for: .ada, at: .at(11))
            #expect(try await accept(of: .fcm, at: .at(20), fixture).message.withdrawn == ["shared"])
            await fixture.store.close()
        }
    }

    @Test func `a notification that has grown since replaces the shown one, which is told as sent`() async throws {
        try await withDevices(yaml: QuietTypes.yaml) { before in
            let event = try await before.event("added", to: .ada, at: .at(1))
            let fixture = try await before.reopened(
                withEarlier: [.shown(1, by: 1, as: "earlier", at: .at(2))], yaml: QuietTypes.yaml)
            _ = try await fixture.event("added", to: .ada, at: .at(3))
            let job = try await accept(at: .at(3), fixture)
            #expect((job.body, job.message.collapseID) == ("2 things", "earlier"))
            #expect(try await steps(event, fixture) == [sent("phone", .apns, at: 2), sent("phone", .apns, at: 3)])
            try await fixture.store.apply(.read(.upTo(9)), for: .ada, at: .at(4))
            #expect(try await accept(at: .at(10), fixture).message.withdrawn == ["earlier"])
            await fixture.store.close()
        }
    }

    @Test func `a shown notification counts among a group's, and is told as sent once the device is gone`() async throws
    {
        try await withDevices(yaml: QuietTypes.yaml) { before in
            let event = try await before.event("asked", to: .ada)
            let fixture = try await before.reopened(withEarlier: [.shown(1, by: 1, at: .at(2))], yaml: QuietTypes.yaml)
            _ = try await fixture.event("asked", to: .ada, at: .at(3))
            #expect(try await accept(at: .at(3), fixture).message.group?.count == 2)
            #expect(try await fixture.store.unregister("phone", of: .ada))
            #expect(try await steps(event, fixture) == [sent("phone", .apns, at: 2)])
            await fixture.store.close()
        }
    }
}
