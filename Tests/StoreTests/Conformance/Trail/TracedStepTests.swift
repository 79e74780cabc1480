import Inbox
import Push
import SQLiteStore
import Store
import Testing

@Suite(.everyEngine) struct TracedStepTests {
    /// As text, so that a test can list what is expected.
    private func steps(_ fixture: StoreFixture) -> [String] {
        fixture.commits.flatMap(\.traced).map { step in
            switch step.kind {
            case .decided(let decision, _, let type, let isLive):
                "\(step.notification.sequence) \(type ?? "-") \(name(of: decision)) \(isLive)"
            case .stepped(let trailStep, let provider):
                "\(step.notification.sequence) \(trailStep) \(provider?.name ?? "-")"
            }
        }
    }

    private func name(of decision: TrailDecision) -> String {
        switch decision {
        case .created: "created"
        case .grew: "grew"
        case .pushOnly: "pushOnly"
        case .isActor, .unrouted, .muted, .preferenceOff: "nothing"
        }
    }

    @Test func `a commit tells the decisions about traced notifications, and no others`() async throws {
        let configure: StoreFixture.Configuration = { $0.isTraced = { _, id in id.sequence != 2 } }
        try await withStore(yaml: StoreFixture.yaml, configure) { fixture in
            fixture.live.connect(.ada)
            try await fixture.store.register(.phone(), for: .ada)
            // Renee is the actor, and gets nothing.
            try await fixture.publish("said", "one", to: .ada, .user("renee"), at: .at(0))
            try await fixture.publish("said", "two", to: .ada, at: .at(0))
            try await fixture.add(1, to: .ada)
            try await fixture.add(1, to: .ada)
            #expect(steps(fixture) == ["1 SAID created true", "3 ADDED created true", "3 ADDED grew true"])
        }
    }

    @Test func `a traced notification's event, its time and its later steps are told`() async throws {
        let configure: StoreFixture.Configuration = { $0.isTraced = { _, _ in true } }
        try await withStore(yaml: StoreFixture.yaml, configure) { fixture in
            fixture.live.connect(.ada)
            try await fixture.store.register(.phone(), for: .ada)
            let event = try await fixture.event("said", to: .ada)
            let id = try #require(try await fixture.ids(of: .ada).first)
            let made = try #require(fixture.commits.flatMap(\.traced).first)
            #expect((made.notification, made.at) == (id, .at(0)))
            guard case .decided(_, event, _, _) = made.kind else {
                Issue.record("no decision about \(event)")
                return
            }
            _ = try await fixture.store.apply(.read(.ids([id])), for: .ada, at: .at(1))
            #expect(steps(fixture).last == "1 cancelled(Inbox.TrailStep.Cause.read) apns")
        }
    }

    @Test func `the rule is asked with the event, and later steps without one`() async throws {
        let event = "an event of no publish"
        let configure: StoreFixture.Configuration = { $0.isTraced = { asked, _ in asked == event } }
        try await withStore(yaml: StoreFixture.yaml, configure) { fixture in
            try await fixture.say("one", to: .ada)
            #expect(steps(fixture) == [])
        }
    }

    @Test func `a rehearsal is not traced, and without a rule nothing is`() async throws {
        let configure: StoreFixture.Configuration = { $0.isTraced = { _, _ in true } }
        try await withStore(yaml: StoreFixture.yaml, configure) { fixture in
            let entry = try fixture.entry("said", to: [.ada])
            _ = try await fixture.store.rehearse(Publication(publisher: "backend", entries: [entry], now: .at(0)))
            #expect(steps(fixture) == [])
        }
        try await withStore { fixture in
            try await fixture.say("one", to: .ada)
            #expect(steps(fixture) == [])
        }
    }
}
