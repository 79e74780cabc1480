import Inbox
import JSON
import Push
import SQLiteStore
import Store
import Testing

/// For whom it is rendered what a phone shows.
@Suite(.everyEngine) struct PushWordsTests {
    private func push(toldTo user: UserID, _ fixture: StoreFixture) throws -> PushContent? {
        switch try #require(fixture.told(to: user).last).kind {
        case .new(let notification), .update(let notification): notification.content.push
        case .read, .seen, .removed: nil
        }
    }

    @Test func `a person without a device costs no words for one`() async throws {
        try await withStore { fixture in
            try await fixture.say("hi", to: .ada)
            #expect(try push(toldTo: .ada, fixture) == nil)
            try await fixture.store.register(.phone(), for: .ada)
            try await fixture.say("hi", to: .ada)
            #expect(try push(toldTo: .ada, fixture)?.body == "hi")
        }
    }

    @Test(arguments: [[UserID.ada, .bob, .cleo], [.bob, .ada, .cleo], [.bob, .cleo, .ada]])
    func `a person with a device gets the push, wherever among the recipients`(_ users: [UserID]) async throws {
        try await withStore { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            _ = try await fixture.publish(fixture.entry("said", to: users))
            #expect(try await fixture.job(at: .at(0)).body == "hi")
            for user in users { #expect(try await fixture.texts(of: user) == ["hi"]) }
        }
    }

    @Test func `a push that waits says all that its batch has, also what came while its owner wanted none`()
        async throws
    {
        try await withStore { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            fixture.live.connect(.ada)
            try await fixture.add(1, to: .ada, .bob, at: .at(0))
            let change = SettingsChange.preferences(try .init(["types": ["ADDED": ["push": false]]]))
            try await fixture.store.change(change, for: .ada, at: .at(1))
            try await fixture.add(2, to: .bob, .ada, at: .at(2))
            let back = SettingsChange.preferences(try .init(["types": ["ADDED": .null]]))
            try await fixture.store.change(back, for: .ada, at: .at(3))
            #expect(try await fixture.job(at: .at(4)).body == "3 things")
        }
    }

    @Test func `a batch that began without a device is pushed in full to a new one`() async throws {
        try await withStore(yaml: QuietTypes.yaml) { fixture in
            _ = try await fixture.publish(fixture.entry("added", to: [.ada]), at: .at(0))
            try await fixture.store.register(.phone(), for: .ada)
            _ = try await fixture.publish(fixture.entry("added", to: [.ada]), at: .at(1))
            #expect(try await fixture.job(at: .at(1)).body == "2 things")
        }
    }
}
