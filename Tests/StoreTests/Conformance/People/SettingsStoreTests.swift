import Inbox
import JSON
import SQLiteStore
import Store
import Testing

@Suite(.everyEngine) struct SettingsStoreTests {
    private static let rooms = SubjectKinds(["room"])

    @Test func `chosen settings are kept, told, and outlive the process`() async throws {
        try await withStore { fixture in
            #expect(try await fixture.store.settings(of: .ada) == UserSettings())
            let change = SettingsChange.preferences(try .init(["types": ["SAID": ["push": false]]]))
            let outcome = try await fixture.store.change(change, for: .ada, at: .at(0))
            let settings = try await fixture.store.settings(of: .ada)
            #expect(outcome == .settled(settings))
            #expect(settings.types == [ExactText("SAID"): ChannelChoice(push: false)])
            #expect(settings.revision == 1)
            let told = fixture.commits.flatMap(\.settings)
            #expect(told.map(\.user) == [.ada])
            #expect(told.map(\.json) == [settings.json.encoded])
            let later = try await fixture.reopened()
            #expect(try await later.store.settings(of: .ada) == settings)
            await later.store.close()
        }
    }

    @Test func `a change that changes nothing is not told`() async throws {
        try await withStore { fixture in
            try await fixture.store.change(.unmute(ExactText("room:7")), for: .ada, at: .at(0))
            #expect(fixture.commits.flatMap(\.settings).isEmpty)
        }
    }

    @Test func `beyond the limit a mute is refused, and nothing has changed`() async throws {
        try await withStore { fixture in
            var full = UserSettings()
            for number in 0..<UserSettings.maximumMutes { full.mutes[ExactText("room:\(number)")] = .init() }
            try await fixture.store.change(.replace(full, known: Self.rooms), for: .ada, at: .at(0))
            let outcome = try await fixture.store.change(
                .mute(ExactText("room:x"), until: nil, known: Self.rooms), for: .ada, at: .at(0))
            guard case .refused(let problem) = outcome else {
                Issue.record("the mute was taken")
                return
            }
            #expect(problem.code == "too_many_mutes")
            #expect(try await fixture.store.settings(of: .ada).mutes.count == UserSettings.maximumMutes)
        }
    }

    @Test func `a mute that is refused makes nobody known`() async throws {
        try await withStore { fixture in
            let mute = SettingsChange.mute(ExactText("rooms:7"), until: nil, known: Self.rooms)
            guard case .refused(let problem) = try await fixture.store.change(mute, for: .ada, at: .at(0)) else {
                Issue.record("the mute was taken")
                return
            }
            #expect(problem.code == "unknown_subject_kind")
            #expect(try await fixture.statistics().inboxes == 0)
        }
    }

    @Test func `a muted or switched off notification does not come`() async throws {
        try await withStore { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            try await fixture.store.change(
                .mute(ExactText("actor:renee"), until: .at(10), known: Self.rooms), for: .ada, at: .at(0))
            let outcome = try #require(try await fixture.publish(fixture.entry("said", to: [.ada, .bob])).first)
            #expect((outcome.created, outcome.suppressed) == (1, 1))
            try await fixture.publish("said", "after the mute", to: .ada, at: .at(10))
            try await fixture.store.change(
                .preferences(.init(["types": ["SAID": ["inApp": false]]])), for: .ada, at: .at(11))
            try await fixture.publish("said", "switched off", to: .ada, at: .at(12))
            #expect(try await fixture.texts(of: .ada) == ["after the mute"])
        }
    }

    @Test func `a notification without wanted pushes comes without a push`() async throws {
        try await withStore { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            try await fixture.store.change(
                .preferences(.init(["types": ["SAID": ["push": false]]])), for: .ada, at: .at(0))
            try await fixture.publish("said", "in silence", to: .ada, at: .at(1))
            #expect(try await fixture.texts(of: .ada) == ["in silence"])
            #expect(try await fixture.statistics().pushJobs == 0)
        }
    }
}
