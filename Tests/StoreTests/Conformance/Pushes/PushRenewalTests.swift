import Inbox
import Push
import SQLiteStore
import Store
import Testing

/// Pushes whose notification has grown since: the next push, and the fate of the one before.
@Suite(.everyEngine) struct PushRenewalTests {
    private func withPhone(
        _ configure: StoreFixture.Configuration = { _ in }, _ body: (StoreFixture) async throws -> Void
    ) async throws {
        try await withStore(yaml: QuietTypes.yaml, configure) { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            try await body(fixture)
        }
    }

    private func add(_ fixture: StoreFixture, at now: Int64, actor: String = "renee", expiresAt: Timestamp? = nil)
        async throws
    {
        let entry = try fixture.entry("added", to: [.ada], actor: actor, expiresAt: expiresAt)
        _ = try await fixture.publish(entry, at: .at(now))
    }

    /// A push that is on its way and was acknowledged; what it tells of has grown since.
    private func acknowledgedAndGrown(_ fixture: StoreFixture) async throws -> PushJob {
        try await add(fixture, at: 0)
        let job = try await fixture.job(at: .at(0))
        fixture.store.acknowledge(.ada, upTo: 1)
        try await add(fixture, at: 1)
        return job
    }

    private var phoneOfAnotherProvider: Device {
        Device(id: "phone", provider: .fcm, token: "token-9", registeredAt: .at(2))
    }

    // MARK: The earlier one comes back

    @Test func `a push follows one that is given back untried`() async throws {
        try await withPhone { fixture in
            let job = try await acknowledgedAndGrown(fixture)
            try await fixture.store.settle(job, as: .retry(at: .at(2)), at: .at(2))
            #expect(fixture.commits.last?.nextPushDue == [.apns: .at(1)])
            #expect(try await fixture.job(at: .at(3)).body == "2 things")
        }
    }

    @Test func `a push follows one whose lease has ended`() async throws {
        try await withPhone { fixture in
            _ = try await acknowledgedAndGrown(fixture)
            #expect(try await fixture.store.leasePushJobs(at: .at(29)).jobs.isEmpty)
            #expect(try await fixture.job(at: .at(30)).body == "2 things")
        }
    }

    @Test func `a push follows to the device's new token`() async throws {
        try await withPhone { fixture in
            let job = try await acknowledgedAndGrown(fixture)
            try await fixture.store.register(.phone(token: "token-9", at: .at(2)), for: .ada)
            try await fixture.store.settle(job, as: .forgetDevice, at: .at(3))
            let next = try await fixture.job(at: .at(3))
            #expect((next.body, next.device.token) == ("2 things", "token-9"))
        }
    }

    @Test func `a push follows to the device's new provider`() async throws {
        try await withPhone { fixture in
            _ = try await acknowledgedAndGrown(fixture)
            try await fixture.store.register(phoneOfAnotherProvider, for: .ada)
            #expect(fixture.commits.last?.nextPushDue == [.fcm: .at(1)])
            #expect(try await fixture.job(of: .fcm, at: .at(3)).body == "2 things")
            #expect(try await fixture.store.leasePushJobs(at: .at(60)).jobs.isEmpty)
        }
    }

    @Test func `a late yes to the push before takes nothing from the one that follows`() async throws {
        try await withPhone { fixture in
            let job = try await acknowledgedAndGrown(fixture)
            try await fixture.store.register(phoneOfAnotherProvider, for: .ada)
            try await fixture.store.settle(job, as: .finish, at: .at(3))
            #expect(try await fixture.job(of: .fcm, at: .at(3)).body == "2 things")
        }
    }

    @Test func `a late yes to the push before is remembered until all is read`() async throws {
        try await withPhone { fixture in
            let job = try await acknowledgedAndGrown(fixture)
            try await fixture.store.register(phoneOfAnotherProvider, for: .ada)
            try await fixture.store.settle(job, as: .finish, at: .at(3))
            try await fixture.store.apply(.read(.upTo(2)), for: .ada, at: .at(3))
            #expect(try await fixture.job(of: .fcm, at: .at(10)).message.withdrawn == [job.message.collapseID])
        }
    }

    @Test func `a push follows a fold of which only the rest is tried again`() async throws {
        try await QuietTypes.withQuiet { fixture in
            try await add(fixture, at: 7_100)
            try await add(fixture, at: 7_101, actor: "pete")
            let fold = try await fixture.job(at: .at(7_160))
            #expect(fold.message.count == 2)
            fixture.store.acknowledge(.ada, upTo: 1)
            try await add(fixture, at: 7_161)
            try await fixture.store.settle(
                fold, as: .retry(at: .at(7_180)), attempt: .init(failures: 1, expiry: fold.attempt.expiry),
                at: .at(7_162))
            let rest = try await fixture.job(at: .at(7_180))
            #expect((rest.body, rest.message.count) == ("one thing", 1))
            try await fixture.store.settle(rest, as: .finish, at: .at(7_180))
            #expect(try await fixture.job(at: .at(7_180)).body == "2 things")
        }
    }

    @Test func `a part of a fold that grows takes the fold's place on the screen, and is withdrawn from there`()
        async throws
    {
        try await QuietTypes.withQuiet { fixture in
            try await add(fixture, at: 7_100)
            try await add(fixture, at: 7_101, actor: "pete")
            let fold = try await fixture.job(at: .at(7_160))
            #expect(fold.message.count == 2)
            try await fixture.store.settle(fold, as: .finish, at: .at(7_160))
            let first = try #require(fold.parts.first?.notification)
            try await fixture.store.apply(.read(.ids([first])), for: .ada, at: .at(7_161))
            try await fixture.store.settle(try await fixture.job(at: .at(7_171)), as: .finish, at: .at(7_171))
            try await add(fixture, at: 7_200, actor: "pete")
            let grown = try await fixture.job(at: .at(7_200))
            #expect((grown.body, grown.message.collapseID) == ("2 things", fold.message.collapseID))
            try await fixture.store.settle(grown, as: .finish, at: .at(7_200))
            try await fixture.store.apply(.read(.upTo(9)), for: .ada, at: .at(7_201))
            #expect(try await fixture.job(at: .at(7_211)).message.withdrawn == [fold.message.collapseID])
        }
    }

    @Test(arguments: [0, 1])
    func `a part of a fold that grows leaves the others' fold on the screen, and both are withdrawn`(part: Int)
        async throws
    {
        try await QuietTypes.withQuiet { fixture in
            let actors = ["renee", "pete"]
            for actor in actors { try await add(fixture, at: 7_100, actor: actor) }
            let fold = try await fixture.job(at: .at(7_160))
            #expect(fold.message.count == 2)
            try await fixture.store.settle(fold, as: .finish, at: .at(7_160))
            try await add(fixture, at: 7_200, actor: actors[part])
            let grown = try await fixture.job(at: .at(7_200))
            #expect((grown.body, grown.message.count) == ("2 things", 1))
            #expect(grown.message.collapseID != fold.message.collapseID)
            try await fixture.store.settle(grown, as: .finish, at: .at(7_200))
            for (part, shown) in [(1 - part, fold), (part, grown)] {
                let id = try #require(fold.parts[part].notification)
                try await fixture.store.apply(.read(.ids([id])), for: .ada, at: .at(7_300))
                let badge = try await fixture.job(at: .at(7_310))
                #expect(badge.message.withdrawn == [shown.message.collapseID])
                try await fixture.store.settle(badge, as: .finish, at: .at(7_310))
            }
        }
    }

    /// A fold of two is on the screen; its second part has grown, and the push of that is on its way.
    private func withGrownPart(_ body: (StoreFixture, _ fold: PushJob, _ grown: PushJob) async throws -> Void)
        async throws
    {
        try await QuietTypes.withQuiet { fixture in
            for actor in ["renee", "pete"] { try await add(fixture, at: 7_100, actor: actor) }
            let fold = try await fixture.job(at: .at(7_160))
            try await fixture.store.settle(fold, as: .finish, at: .at(7_160))
            try await add(fixture, at: 7_200, actor: "pete")
            try await body(fixture, fold, try await fixture.job(at: .at(7_200)))
        }
    }

    private func read(_ part: Int, of fold: PushJob, _ fixture: StoreFixture, at now: Int64) async throws {
        let id = try #require(fold.parts[part].notification)
        try await fixture.store.apply(.read(.ids([id])), for: .ada, at: .at(now))
    }

    /// The notifications that the next push withdraws; empty if no push follows.
    private func withdrawn(_ fixture: StoreFixture, at now: Int64) async throws -> [String] {
        let jobs = try await fixture.store.leasePushJobs(at: .at(now)).jobs
        for job in jobs { try await fixture.store.settle(job, as: .finish, at: .at(now)) }
        return jobs.flatMap(\.message.withdrawn)
    }

    @Test func `a fold stays for a part that has grown, if the push of that is refused`() async throws {
        try await withGrownPart { fixture, fold, grown in
            try await fixture.store.settle(grown, as: .abandon(reason: "no"), at: .at(7_201))
            try await read(0, of: fold, fixture, at: 7_300)
            #expect(try await withdrawn(fixture, at: 7_310) == [])
            try await read(1, of: fold, fixture, at: 7_400)
            #expect(try await withdrawn(fixture, at: 7_410) == [fold.message.collapseID])
        }
    }

    @Test func `a fold stays for a part that has grown, until the push of that is accepted`() async throws {
        try await withGrownPart { fixture, fold, grown in
            try await fixture.store.settle(
                grown, as: .retry(at: .at(7_500)), attempt: .init(failures: 1, expiry: grown.attempt.expiry),
                at: .at(7_201))
            try await read(0, of: fold, fixture, at: 7_300)
            #expect(try await withdrawn(fixture, at: 7_499) == [])
            let again = try await fixture.job(at: .at(7_500))
            #expect(again.message.collapseID == grown.message.collapseID)
            try await fixture.store.settle(again, as: .finish, at: .at(7_501))
            #expect(try await withdrawn(fixture, at: 7_510) == [fold.message.collapseID])
        }
    }

    @Test func `a fold stays for a part that has grown and was acknowledged`() async throws {
        try await withGrownPart { fixture, fold, grown in
            try await fixture.store.settle(
                grown, as: .retry(at: .at(7_500)), attempt: .init(failures: 1, expiry: grown.attempt.expiry),
                at: .at(7_201))
            fixture.store.acknowledge(.ada, upTo: 3)
            try await read(0, of: fold, fixture, at: 7_300)
            #expect(try await withdrawn(fixture, at: 7_310) == [])
            try await read(1, of: fold, fixture, at: 7_400)
            #expect(try await withdrawn(fixture, at: 7_410).contains(fold.message.collapseID))
        }
    }

    @Test func `a part that has grown is withdrawn with its fold`() async throws {
        try await withGrownPart { fixture, fold, grown in
            try await read(0, of: fold, fixture, at: 7_201)
            try await read(1, of: fold, fixture, at: 7_201)
            try await fixture.store.settle(grown, as: .finish, at: .at(7_202))
            let ids = try await withdrawn(fixture, at: 7_210)
            #expect(Set(ids) == [fold.message.collapseID, grown.message.collapseID])
        }
    }

    @Test func `a late yes to what has grown withdraws the fold that nobody else needs`() async throws {
        try await withGrownPart { fixture, fold, grown in
            // Its lease is over, and it has grown again since.
            try await add(fixture, at: 7_240, actor: "pete")
            let later = try await fixture.job(at: .at(7_240))
            try await fixture.store.settle(grown, as: .finish, at: .at(7_241))
            try await read(0, of: fold, fixture, at: 7_242)
            try await fixture.store.settle(later, as: .finish, at: .at(7_243))
            #expect(try await withdrawn(fixture, at: 7_260) == [fold.message.collapseID])
        }
    }

    @Test func `a grown notification on the screen hides in no fold, and takes its own place`() async throws {
        try await QuietTypes.withQuiet { fixture in
            for text in ["one", "two"] {
                let entry = try fixture.entry("said", text, to: [.ada], notBefore: .at(3_600))
                _ = try await fixture.publish(entry, at: .at(3_390))
            }
            try await add(fixture, at: 3_400)
            let shown = try await fixture.job(at: .at(3_400))
            try await fixture.store.settle(shown, as: .finish, at: .at(3_400))
            try await add(fixture, at: 3_600)
            let fold = try await fixture.job(at: .at(7_160))
            #expect((fold.body, fold.message.count) == ("2 new things", 2))
            try await fixture.store.settle(fold, as: .finish, at: .at(7_160))
            let grown = try await fixture.job(at: .at(7_160))
            #expect((grown.body, grown.message.count) == ("2 things", 1))
            #expect(grown.message.collapseID == shown.message.collapseID)
            try await fixture.store.settle(grown, as: .finish, at: .at(7_160))
            let id = try #require(grown.message.notification)
            try await fixture.store.apply(.read(.ids([id])), for: .ada, at: .at(7_161))
            #expect(try await fixture.job(at: .at(7_171)).message.withdrawn == [shown.message.collapseID])
        }
    }

    @Test func `a notification on the screen takes nothing along when it leaves first`() async throws {
        try await QuietTypes.withQuiet { fixture in
            try await add(fixture, at: 3_400)
            let shown = try await fixture.job(at: .at(3_400))
            try await fixture.store.settle(shown, as: .finish, at: .at(3_400))
            try await add(fixture, at: 3_600)
            for actor in ["pete", "quinn"] { try await add(fixture, at: 3_601, actor: actor) }
            let grown = try await fixture.job(at: .at(7_160))
            #expect((grown.body, grown.message.count) == ("2 things", 1))
            #expect(grown.message.collapseID == shown.message.collapseID)
            try await fixture.store.settle(grown, as: .finish, at: .at(7_160))
            #expect(try await fixture.job(at: .at(7_160)).message.count == 2)
        }
    }

    @Test func `read before its lease ends, nothing follows`() async throws {
        try await withPhone { fixture in
            _ = try await acknowledgedAndGrown(fixture)
            try await fixture.store.apply(.read(.upTo(2)), for: .ada, at: .at(2))
            #expect(try await fixture.store.leasePushJobs(at: .at(30)).jobs.allSatisfy { $0.message.content == nil })
        }
    }

    @Test func `a push that an acknowledgement took back does not come again with a write that fails`() async throws {
        let epochs = Epochs()
        let configure: StoreFixture.Configuration = { $0.makeEpoch = { epochs.next() } }
        try await withPhone(configure) { fixture in
            let job = try await acknowledgedAndGrown(fixture)
            epochs.fail()  // no inbox can be made
            await #expect(throws: StoreError.self) { try await fixture.say("hi", to: .bob, at: .at(2)) }
            fixture.store.acknowledge(.ada, upTo: 2)
            await #expect(throws: StoreError.self) { try await fixture.say("hi", to: .bob, at: .at(2)) }
            try await fixture.store.settle(job, as: .finish, at: .at(3))
            #expect(try await fixture.store.leasePushJobs(at: .at(60)).jobs.isEmpty)
        }
    }

    // MARK: The later one comes to nothing

    enum End: CaseIterable { case refused, expired, kept, forbidden }

    @Test(arguments: End.allCases)
    func `the push before is withdrawn, whatever became of the one that was to follow`(end: End) async throws {
        let configure: StoreFixture.Configuration = { $0.pushExpiry = .seconds(60) }
        try await withPhone(configure) { fixture in
            try await add(fixture, at: 0)
            let shown = try await fixture.job(at: .at(0))
            try await fixture.store.settle(shown, as: .finish, at: .at(0))
            try await add(fixture, at: 1, expiresAt: .at(50))
            switch end {
            case .refused:
                let later = try await fixture.job(at: .at(1))
                try await fixture.store.settle(later, as: .abandon(reason: "no"), at: .at(2))
            case .expired:
                #expect(try await fixture.store.leasePushJobs(at: .at(61)).jobs.isEmpty)
            case .kept:
                try await fixture.store.change(.snooze(until: .at(1_000)), for: .ada, at: .at(2))
                #expect(try await fixture.store.leasePushJobs(at: .at(3)).jobs.isEmpty)
            case .forbidden:
                var phone = Device.phone()
                phone.permission = .denied
                try await fixture.store.register(phone, for: .ada)
                #expect(try await fixture.store.leasePushJobs(at: .at(3)).jobs.isEmpty)
                phone.permission = .granted
                try await fixture.store.register(phone, for: .ada)
            }
            #expect(try await fixture.statistics().pushJobs == 0)
            try await fixture.store.apply(.read(.upTo(2)), for: .ada, at: .at(70))
            #expect(try await fixture.job(at: .at(80)).message.withdrawn == [shown.message.collapseID])
        }
    }

    // MARK: Another provider

    @Test func `a refusal by the provider that a device had before touches no push through the new one`() async throws {
        try await withPhone { fixture in
            try await fixture.publish("said", "one", to: .ada, at: .at(0))
            let job = try await fixture.job(at: .at(0))
            try await fixture.store.register(phoneOfAnotherProvider, for: .ada)
            try await fixture.store.settle(job, as: .abandon(reason: "no"), at: .at(3))
            #expect(try await fixture.job(of: .fcm, at: .at(4)).body == "one")
        }
    }
}
