import Inbox
import JSON
import SQLiteStore
import Store
import Testing

@Suite(.everyEngine) struct PatchTests {
    private static let yaml = """
        catalog: tests
        actor: [id, username]
        events:
          followed: {routes: [{to: people, type: FOLLOWED}]}
          liked: {routes: [{to: people, type: LIKED}]}
        types:
          FOLLOWED: {text: "{{actor}} follows you", fields: {isFollowingBack: {value: text}, zeal: {value: text}}}
          LIKED: {text: "{{actor}} likes you", fields: {isFollowingBack: {value: text}}}
        """

    private func patch(
        _ fields: JSONObject, type: String = "FOLLOWED", actor: String? = "renee", key: String? = nil,
        of user: UserID = .ada
    ) -> NotificationPatch {
        NotificationPatch(
            user: user, type: type, actor: actor, key: key, publisher: "backend", fields: fields, now: .at(1))
    }

    @Test("a live field changes in its place, for this person alone, and sessions hear of it") func live() async throws
    {
        try await withStore(yaml: Self.yaml) { fixture in
            let event = try await fixture.event("followed", "no", to: .ada, .bob)
            #expect(try await fixture.store.patch(patch(["isFollowingBack": true])) == 1)
            let ada = try #require(try await fixture.store.page(of: .ada).notifications.first)
            let bob = try #require(try await fixture.store.page(of: .bob).notifications.first)
            let (old, new) = (String(decoding: bob.content.body, as: UTF8.self), #""isFollowingBack":true"#)
            #expect(old.contains(#""isFollowingBack":"no","zeal":"no""#))
            #expect(
                String(decoding: ada.content.body, as: UTF8.self)
                    == old.replacing(#""isFollowingBack":"no""#, with: new))
            #expect((ada.rev, ada.seq, bob.rev, bob.seq) == (2, 2, 1, 1))
            let state = try await fixture.store.state(of: .ada)
            #expect((state.seq, state.unread, state.total) == (2, 1, 1))
            guard case .update(let told) = fixture.told(to: .ada).last?.kind else {
                Issue.record("nobody was told")
                return
            }
            #expect(told.content.body == ada.content.body)
            #expect(try await fixture.steps(event) == [.patched])
        }
    }

    @Test("contents go with the last notification that shows them, also after many changes") func uses() async throws {
        try await withStore(yaml: Self.yaml) { fixture in
            _ = try await fixture.event("followed", to: .ada, .bob)
            for value in [true, false, true] {
                #expect(try await fixture.store.patch(patch(["isFollowingBack": .bool(value)])) == 1)
                #expect(try await fixture.statistics().contents == 2)
            }
            try await fixture.store.apply(.remove(.upTo(9)), for: .ada)
            #expect(try await fixture.statistics().contents == 1)
        }
    }

    @Test("a value that is there already changes nothing") func same() async throws {
        try await withStore(yaml: Self.yaml) { fixture in
            _ = try await fixture.event("followed", "yes", to: .ada)
            #expect(try await fixture.store.patch(patch(["isFollowingBack": "yes"])) == 0)
            #expect(try await fixture.store.state(of: .ada).seq == 1)
        }
    }

    @Test("only notifications of that type, actor and key change") func selection() async throws {
        try await withStore(yaml: Self.yaml) { fixture in
            _ = try await fixture.event("followed", to: .ada, key: "first")
            _ = try await fixture.event("followed", to: .ada, key: "second")
            _ = try await fixture.event("liked", to: .ada)
            let store = fixture.store
            #expect(try await store.patch(patch(["zeal": 1], actor: "pete")) == 0)
            #expect(try await store.patch(patch(["zeal": 1], of: .bob)) == 0)
            #expect(try await store.patch(patch(["zeal": 1], actor: nil)) == 0)
            #expect(try await store.patch(patch(["zeal": 1], actor: nil, key: "first")) == 1)
            #expect(try await store.patch(patch(["zeal": 1], actor: "pete", key: "second")) == 0)
            // The first one says so already.
            #expect(try await store.patch(patch(["zeal": 1])) == 1)
            #expect(try await store.patch(patch(["isFollowingBack": 1], type: "LIKED")) == 1)
            // Also what was changed before is found by its actor and its key.
            #expect(try await store.patch(patch(["zeal": 2], key: "first")) == 1)
        }
    }
}
