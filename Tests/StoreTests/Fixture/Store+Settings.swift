import Inbox
import JSON
import SQLiteStore
import Store
import Testing

extension Store {
    func settings(of user: UserID) async throws -> UserSettings {
        try await withCheckedThrowingContinuation { waiting in settings(of: user) { waiting.resume(with: $0) } }
    }

    @discardableResult
    func change(_ change: SettingsChange, for user: UserID, at now: Timestamp) async throws -> SettingsOutcome {
        try await withCheckedThrowingContinuation { waiting in
            self.change(change, for: user, at: now) { waiting.resume(with: $0) }
        }
    }
}

/// A catalog for people who are not to be disturbed. The tests' time begins on a Sunday at 01:46:40.
enum QuietTypes {
    static let yaml = """
        catalog: tests
        actor: [id, username]
        app: golf
        push: {digest: {title: Golf, body: {one: "one new thing", other: "{{count}} new things"}}}
        events:
          said: {routes: [{to: people, type: SAID}]}
          shouted: {routes: [{to: people, type: SHOUTED}]}
          noted: {routes: [{to: people, type: NOTED}]}
          upvoted: {routes: [{to: people, type: UPVOTED}]}
          scored: {routes: [{to: people, type: SCORED}]}
          added: {routes: [{to: people, type: ADDED}]}
          gathered: {routes: [{to: people, type: GATHERED}]}
          asked: {routes: [{to: people, type: ASKED}]}
        types:
          SAID: {text: "{{text}}", push: {when: fallback, title: Said, body: "{{text}}", lifetime: 1h}}
          SHOUTED: {text: "{{text}}", push: {when: always, urgency: urgent, title: Shouted, body: "{{text}}"}}
          NOTED: {text: "{{text}}"}
          UPVOTED:
            text: "{{text}}"
            push:
              {when: always, perHour: 1, title: Upvoted, body: "{{text}}",
               summary: {title: Upvoted, body: "{{count}} upvotes"}}
          SCORED: {text: "{{text}}", push: {when: always, title: Score, body: "{{text}}", replaceKey: "match 7"}}
          ADDED:
            text: "{{things}}"
            batch: {window: 5m, by: [actor.id], count: things, nouns: {one: one thing, other: "{{count}} things"}}
            push: {when: fallback, timing: each, title: Added, body: "{{things}}"}
          GATHERED:
            text: "{{things}}"
            batch: {window: 5m, by: [actor.id], count: things, nouns: {one: one thing, other: "{{count}} things"}}
            push: {when: fallback, timing: trailing, title: Gathered, body: "{{things}}"}
          ASKED:
            text: "{{text}}"
            group: "{{actor}}"
            groupText: {one: a request, other: "{{count}} requests"}
            push: {when: always, title: Asked, body: "{{text}}"}
        """

    /// Sunday, 02:46 to 03:46: from 3,560 to 7,160 of the tests' time.
    static let hours: JSONValue = ["windows": [["days": ["sun"], "from": "02:46", "to": "03:46"]]]

    /// A store in which ada has a phone and wants quiet from 3,560 to 7,160.
    static func withQuiet(_ body: (StoreFixture) async throws -> Void) async throws {
        try await withStore(yaml: yaml) { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            try await fixture.store.change(.quietHours(QuietHours(hours)), for: .ada, at: .at(0))
            try await body(fixture)
        }
    }
}
