import Inbox
import JSON
import Push
import SQLiteStore
import Store

/// A catalog whose types can be muted and switched off in every way.
enum WishTypes {
    static let yaml = """
        catalog: tests
        actor: [id]
        categories: {talk: {title: Talk}, praise: {title: Praise}}
        push: {when: always, digest: {title: Tests, body: {one: "one new thing", other: "{{count}} new things"}}}
        events:
          said: {routes: [{to: people, type: SAID}]}
          liked: {routes: [{to: people, type: LIKED}]}
          warned: {routes: [{to: people, type: WARNED}]}
          found: {routes: [{to: people, type: FOUND}]}
          added: {routes: [{to: people, type: ADDED}]}
          drawn: {routes: [{to: people, type: DRAWN}]}
          sketched: {routes: [{to: people, type: SKETCHED}]}
          rang: {routes: [{to: people, type: RANG}]}
          hid: {routes: [{to: people, type: HID}]}
          asked: {routes: [{to: people, type: ASKED}]}
          gathered: {routes: [{to: people, type: GATHERED}]}
        types:
          SAID:
            category: talk
            text: said
            subjects: {room: "{{room}}"}
            push: {title: Said, body: "{{text}}"}
          LIKED:
            category: praise
            text: liked
            subjects: {room: "{{room}}"}
            push: {perHour: 1, group: likes, title: Liked, body: "{{text}}", summary: {title: Liked, body: "{{count}} likes"}}
          WARNED: {category: talk, text: warned, preferences: {required: true}, push: {title: Warned, body: "{{text}}"}}
          FOUND: {text: found, subjects: {room: "{{room}}"}, preferences: {push: off}, push: {title: Found, body: "{{text}}"}}
          ADDED:
            category: talk
            text: "{{things}}"
            subjects: {room: "{{room}}"}
            batch: {window: 5m, by: [room], count: things, nouns: {one: one thing, other: "{{count}} things"}}
            push: {timing: trailing, title: Added, body: "{{things}}"}
          DRAWN:
            category: praise
            text: "{{things}}"
            batch: {window: 5m, by: [room], count: things, nouns: {one: one thing, other: "{{count}} things"}}
            push: {timing: each, title: Drawn, body: "{{things}}"}
          SKETCHED:
            text: "{{things}}"
            group: sketches
            batch: {window: 5m, by: [room], count: things, nouns: {one: one thing, other: "{{count}} things"}}
            push:
              {timing: each, perHour: 1, title: Sketched, body: "{{things}}",
               summary: {title: Sketched, body: "{{count}} sketches"}}
          RANG:
            category: talk
            text: rang
            subjects: {room: "{{room}}"}
            preferences: {inApp: never}
            push: {title: Rang, body: "{{text}}"}
          HID: {category: praise, text: hid, preferences: {inApp: off, push: on}, push: {title: Hid, body: "{{text}}"}}
          ASKED: {text: asked, preferences: {inApp: never, push: off}, push: {title: Asked, body: "{{text}}"}}
          GATHERED:
            category: talk
            text: "{{things}}"
            subjects: {room: "{{room}}"}
            preferences: {inApp: never}
            batch: {window: 5m, by: [room], count: things, nouns: {one: one thing, other: "{{count}} things"}}
            push: {timing: each, title: Gathered, body: "{{things}}"}
        """

    static func event(
        _ type: String, _ text: String = "hi", by actor: String = "pete", in room: String = "attic",
        notBefore: Timestamp? = nil, urgency: PushPolicy.Urgency? = nil, to users: [UserID] = [.ada]
    ) -> Event {
        Event(
            type: type, actor: ["id": .string(actor)], to: [.init(name: "people", users: users)],
            data: ["text": .string(text), "room": .string(room), "things": [1]], notBefore: notBefore, urgency: urgency)
    }

    static let kinds = SubjectKinds(["room"])

    static func mute(_ subject: String, until: Timestamp? = nil) -> SettingsChange {
        .mute(ExactText(subject), until: until, known: kinds)
    }

    static func type(_ name: String, _ edit: ChannelEdit) -> SettingsChange {
        .preferences(PreferenceEdits(types: [ExactText(name): edit]))
    }

    static func category(_ name: String, _ edit: ChannelEdit) -> SettingsChange {
        .preferences(PreferenceEdits(categories: [ExactText(name): edit]))
    }

    /// A store in which ada has a phone.
    static func withPhone(_ body: (StoreFixture) async throws -> Void) async throws {
        try await withStore(yaml: yaml) { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            try await body(fixture)
        }
    }
}

extension StoreFixture {
    /// Publishes it, and returns its id.
    @discardableResult
    func publish(_ event: Event, at now: Timestamp) async throws -> String {
        let entry = try entry(event)
        _ = try await publish(entry, at: now)
        return entry.id
    }

    /// Hands out all that is due and has it accepted, one after the other.
    func sent(_ provider: Device.Provider = .apns, at now: Timestamp) async throws -> [PushJob] {
        var sent: [PushJob] = []
        while true {
            let jobs = try await store.leasePushJobs(for: provider, at: now).jobs
            if jobs.isEmpty { return sent }
            for job in jobs { try await store.settle(job, as: .finish, at: now) }
            sent += jobs.filter { $0.message.content != nil }
        }
    }
}
