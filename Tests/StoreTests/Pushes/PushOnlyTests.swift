import Inbox
import JSON
import Push
import Testing

@testable import Deliveries
@testable import SQLiteStore
@testable import Store

/// Notifications that are pushed and never stand in an inbox.
struct PushOnlyTests {
    private static let yaml = """
        catalog: tests
        actor: [id, username]
        app: golf
        push: {digest: {title: Golf, body: {one: "one new thing", other: "{{count}} new things"}}}
        events:
          said: {routes: [{to: people, type: SAID}]}
          rang: {routes: [{to: people, type: RANG}]}
          added: {routes: [{to: people, type: ADDED}]}
          hidden: {routes: [{to: people, type: HIDDEN}]}
        types:
          SAID: {text: "{{text}}", push: {when: fallback, title: Said, body: "{{text}}"}}
          RANG:
            text: "{{text}}"
            preferences: {inApp: never}
            push: {when: fallback, title: Rang, body: "{{text}}"}
          ADDED:
            text: "{{things}}"
            preferences: {inApp: never}
            batch: {window: 5m, by: [actor.id], count: things, nouns: {one: one thing, other: "{{count}} things"}}
            push: {when: fallback, timing: each, title: Added, body: "{{things}}"}
          HIDDEN:
            text: "{{text}}"
            preferences: {inApp: off, push: on}
            push: {when: always, title: Hidden, body: "{{text}}"}
        """

    /// Ada has a phone.
    private func withPhone(
        trailLifetime: Duration = .seconds(86_400), _ body: (StoreFixture) async throws -> Void
    ) async throws {
        let configure: StoreFixture.Configuration = { $0.trailLifetime = trailLifetime }
        try await withStore(yaml: Self.yaml, configure) { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            try await body(fixture)
        }
    }

    private func retract(_ key: String, _ fixture: StoreFixture, at now: Int64) async throws -> Retraction? {
        try await fixture.store.retract(key, CatalogSet([fixture.catalog]), at: .at(now))
    }

    /// That the inbox is as `rows` notifications have left it, and nothing else.
    private func expectInbox(of user: UserID, holds rows: Int64, _ fixture: StoreFixture) async throws {
        let state = try await fixture.store.state(of: user)
        #expect((state.seq, state.unread, state.unseen, state.total) == (rows, rows, rows, rows))
        #expect(try await fixture.store.page(of: user).notifications.count == Int(rows))
        #expect(fixture.told(to: user).count == Int(rows))
        #expect(try await fixture.statistics().unreadDrift == 0)
    }

    // MARK: Pushing

    @Test(arguments: ["rang", "hidden"])
    func `it is pushed with the number of what is in the inbox, and the inbox does not change`(
        type: String
    ) async throws {
        try await withPhone { fixture in
            try await fixture.say("one", to: .ada)
            let said = try await fixture.job(at: .at(0))
            try await fixture.store.settle(said, as: .finish)
            try await fixture.publish(type, "ring", to: .ada, at: .at(1))
            try await fixture.say("two", to: .ada, at: .at(1))
            let first = try await fixture.job(at: .at(1))
            #expect((first.body, first.message.badge, first.message.position.seq) == ("ring", 2, 2))
            try await fixture.store.settle(first, as: .finish)
            #expect(try await fixture.job(at: .at(1)).body == "two")
            try await expectInbox(of: .ada, holds: 2, fixture)
            #expect(try await fixture.store.groups(of: .ada).groups.count == 2)
        }
    }

    @Test func `a client that comes back is told nothing of it`() async throws {
        try await withPhone { fixture in
            try await fixture.say("one", to: .ada)
            try await fixture.publish("rang", "ring", to: .ada, at: .at(1))
            try await fixture.say("two", to: .ada, at: .at(2))
            let epoch = try await fixture.store.state(of: .ada).epoch
            let recovery = try await fixture.store.recover(.ada, from: InboxPosition(epoch: epoch, seq: 0))
            guard case .changes(let changes) = recovery.result else {
                Issue.record("the client had to begin anew")
                return
            }
            #expect(changes.map(\.stamp.seq) == [1, 2])
        }
    }

    @Test func `a session that is there neither delays it nor cancels it`() async throws {
        try await withPhone { fixture in
            fixture.live.connect(.ada)
            try await fixture.publish("rang", "ring", to: .ada, at: .at(1))
            fixture.store.acknowledge(.ada, upTo: .max, at: .at(1))
            try await fixture.store.apply(.read(.upTo(.max)), for: .ada, at: .at(1))
            #expect(try await fixture.job(at: .at(1)).body == "ring")
        }
    }

    @Test func `without a device nothing comes into being`() async throws {
        try await withPhone { fixture in
            let outcome = try await fixture.publish(fixture.entry("rang", to: [.bob]), at: .at(1))[0]
            #expect((outcome.created, outcome.suppressed) == (0, 1))
            let statistics = try await fixture.statistics()
            #expect((statistics.contents, statistics.pushJobs) == (0, 0))
        }
    }

    @Test func `quiet hours keep it back, and count it with what is in the inbox`() async throws {
        try await withPhone { fixture in
            try await fixture.store.change(.quietHours(QuietHours(QuietTypes.hours)), for: .ada, at: .at(0))
            try await fixture.publish("rang", "ring", to: .ada, at: .at(3_600))
            try await fixture.publish("said", "one", to: .ada, at: .at(3_600))
            #expect(try await fixture.store.leasePushJobs(at: .at(7_159)).jobs.isEmpty)
            let job = try await fixture.job(at: .at(7_160))
            #expect((job.body, job.message.badge, job.message.count) == ("2 new things", 1, 2))
        }
    }

    @Test func `a push that is tried again says the same`() async throws {
        try await withPhone { fixture in
            try await fixture.publish("rang", "ring", to: .ada, at: .at(1))
            let job = try await fixture.job(at: .at(1))
            try await fixture.store.settle(job, as: .retry(at: .at(60)), at: .at(2))
            let again = try await fixture.reopened().job(at: .at(60))
            #expect((again.body, again.message.collapseID) == ("ring", job.message.collapseID))
        }
    }

    // MARK: People's choices

    private func choose(_ inApp: Bool?, _ push: Bool?, for type: String, _ fixture: StoreFixture) async throws {
        let edits = PreferenceEdits(types: [ExactText(type): ChannelEdit(ChannelChoice(inApp: inApp, push: push))])
        _ = try await fixture.store.change(.preferences(edits), for: .ada, at: .at(0))
    }

    @Test func `a person who switches the inbox off and pushes on gets pushes alone`() async throws {
        try await withPhone { fixture in
            try await choose(false, true, for: "SAID", fixture)
            try await fixture.say("quietly", to: .ada, .bob)
            #expect(try await fixture.job(at: .at(0)).body == "quietly")
            try await expectInbox(of: .ada, holds: 0, fixture)
            try await expectInbox(of: .bob, holds: 1, fixture)
        }
    }

    @Test func `a person who switches its pushes off gets nothing`() async throws {
        try await withPhone { fixture in
            try await choose(nil, false, for: "RANG", fixture)
            try await choose(false, nil, for: "SAID", fixture)
            try await fixture.publish("rang", "ring", to: .ada, at: .at(1))
            try await fixture.say("hi", to: .ada, at: .at(1))
            #expect(try await fixture.store.leasePushJobs(at: .at(9)).jobs.isEmpty)
            #expect(try await fixture.statistics().contents == 0)
        }
    }

    // MARK: Batches

    @Test func `events of one batch take each other's place on the screen`() async throws {
        try await withPhone { fixture in
            try await fixture.add(1, to: .ada, at: .at(0))
            let first = try await fixture.job(at: .at(0))
            try await fixture.store.settle(first, as: .finish)
            #expect(try await fixture.add(2, to: .ada, at: .at(60)).updated == 1)
            let second = try await fixture.job(at: .at(60))
            #expect((first.body, second.body) == ("one thing", "3 things"))
            #expect(first.message.collapseID == second.message.collapseID)
            try await fixture.store.settle(second, as: .finish)
            #expect(try await fixture.add(1, to: .ada, at: .at(301)).created == 1)
            #expect(try await fixture.job(at: .at(301)).body == "one thing")
            try await expectInbox(of: .ada, holds: 0, fixture)
        }
    }

    @Test func `a waiting push says all that has come, and an acknowledgement does not cancel it`() async throws {
        try await withPhone { fixture in
            try await fixture.add(1, to: .ada, at: .at(0))
            try await fixture.add(2, to: .ada, at: .at(1))
            fixture.store.acknowledge(.ada, upTo: .max, at: .at(1))
            #expect(try await fixture.job(at: .at(1)).body == "3 things")
        }
    }

    // MARK: Taking back

    @Test func `taking it back cancels what waits and withdraws what is shown, and no number changes`() async throws {
        try await withPhone { fixture in
            _ = try await fixture.publish(fixture.entry("rang", "shown", to: [.ada], key: "k1"), at: .at(1))
            let shown = try await fixture.job(at: .at(1))
            try await fixture.store.settle(shown, as: .finish, at: .at(1))
            _ = try await fixture.publish(fixture.entry("rang", "waits", to: [.ada], key: "k2"), at: .at(2))
            #expect(try await retract("k2", fixture, at: 2)?.pushesCancelled == 1)
            #expect(try await retract("k1", fixture, at: 2)?.removed == 1)
            let badge = try await fixture.job(at: .at(60))
            #expect((badge.message.content == nil, badge.message.withdrawn) == (true, [shown.message.collapseID]))
            try await expectInbox(of: .ada, holds: 0, fixture)
            #expect(try await fixture.statistics().contents == 0)
        }
    }

    @Test func `one event can be taken out of a batch`() async throws {
        try await withPhone { fixture in
            for (key, things) in [("k1", 1), ("k2", 2)] {
                _ = try await fixture.publish(fixture.entry("added", to: [.ada], key: key, things: things), at: .at(1))
            }
            #expect(try await retract("k2", fixture, at: 2)?.updated == 1)
            #expect(try await fixture.job(at: .at(2)).body == "one thing")
            try await expectInbox(of: .ada, holds: 0, fixture)
        }
    }

    // MARK: Looking

    @Test func `the trail tells of it, and a dry run shows the push alone`() async throws {
        try await withPhone { fixture in
            let entry = try fixture.entry("rang", "ring", to: [.ada, .bob])
            let publication = Publication(publisher: "backend", entries: [entry], now: .at(1))
            let rehearsed = try #require(try await fixture.store.rehearse(publication).first).recipients
            #expect(rehearsed.map(\.content?.push?.body) == ["ring", "ring"])
            let queued = PushDecision.queued(devices: 1, due: .at(1), hold: .none)
            #expect(rehearsed.map(\.decision) == [.pushOnly(queued), .pushOnly(.noDevice)])
            _ = try await fixture.store.publish(publication)
            try await fixture.store.settle(try await fixture.job(at: .at(1)), as: .finish, at: .at(1))
            let report = try await fixture.report(entry.id)
            let told = try #require(report.recipients.first { $0.user == .ada })
            #expect((told.decision, told.state, told.steps.map(\.step)) == (.pushOnly(queued), nil, [.sent]))
            #expect((report.summary.created, report.summary.suppressed, report.summary.pushes.sent) == (1, 1, 1))
        }
    }

    // MARK: Commands and what is over

    @Test func `nobody can read or remove it by its id`() async throws {
        try await withPhone { fixture in
            try await fixture.publish("rang", "ring", to: .ada, at: .at(1))
            let ring = try #require(try await fixture.job(at: .at(1)).message.notification)
            try await fixture.say("one", to: .ada, at: .at(2))
            #expect(PushOnlyNumber.isOne(ring.sequence))
            #expect(try await fixture.store.apply(.read(.ids([ring])), for: .ada).count == 0)
            #expect(try await fixture.store.apply(.remove(.ids([ring])), for: .ada).count == 0)
            try await expectInbox(of: .ada, holds: 1, fixture)
        }
    }

    @Test func `its row goes with the trail, but not while a push waits`() async throws {
        try await withPhone(trailLifetime: .seconds(100)) { fixture in
            _ = try await fixture.publish(
                fixture.entry("rang", "later", to: [.ada], notBefore: .at(500)), at: .at(0))
            try await fixture.publish("rang", "now", to: .ada, at: .at(1))
            try await fixture.store.settle(try await fixture.job(at: .at(1)), as: .finish, at: .at(1))
            _ = try await fixture.store.sweepTrail(at: .at(200))
            #expect(try await fixture.statistics().contents == 1)
            let job = try await fixture.job(at: .at(500))
            #expect(job.body == "later")
            try await fixture.store.settle(job, as: .finish, at: .at(500))
            _ = try await fixture.store.sweepTrail(at: .at(700))
            #expect(try await fixture.statistics().contents == 0)
        }
    }

    @Test func `erasing a person removes it`() async throws {
        try await withPhone { fixture in
            try await fixture.publish("rang", "ring", to: .ada, at: .at(1))
            let report = try await fixture.store.erase(.ada)
            #expect((report.notifications, report.pushes) == (1, 1))
            #expect(try await fixture.statistics().contents == 0)
        }
    }

    @Test func `a number comes after all that there were, whatever the clock says`() {
        let now = Timestamp(milliseconds: 1_800_000_000_000)
        let first = PushOnlyNumber.next(after: nil, at: now)
        #expect(first.map { PushOnlyNumber.isOne($0) } == true)
        #expect(PushOnlyNumber.next(after: first, at: now) == first.map { $0 + 1 })
        #expect(PushOnlyNumber.next(after: first, at: .at(0)) == first.map { $0 + 1 })
        #expect(PushOnlyNumber.next(after: nil, at: .at(0)) == PushOnlyNumber.all.lowerBound)
        #expect(PushOnlyNumber.next(after: PushOnlyNumber.all.upperBound, at: now) == nil)
    }
}
