import Inbox
import JSON
import Push
import SQLiteStore
import Store
import Testing

@Suite(.everyEngine) struct UserTests {
    private static func profile(_ json: JSONValue) throws -> UserProfile { try UserProfile(json: json) }

    @Test func `a profile is kept as it was sent, and the next one takes its place`() async throws {
        try await withStore { fixture in
            let store = fixture.store
            #expect(try await store.profile(of: .ada) == nil)
            let first = try Self.profile(["locale": "de", "email": "Ada@Example.com", "plan": ["level": 3]])
            try await store.write(first, of: .ada)
            #expect(try await store.profile(of: .ada) == first)
            #expect(try await store.user(withEmail: "ada@example.COM") == .ada)
            try await store.write(try Self.profile(["zone": "Europe/Berlin"]), of: .ada)
            #expect(try await store.profile(of: .ada)?.json == ["zone": "Europe/Berlin"])
            #expect(try await store.user(withEmail: "ada@example.com") == nil)
            #expect(try await store.profile(of: .bob) == nil)
        }
    }

    private static let greeting = """
        catalog: tests
        events: {greeted: {routes: [{to: people, type: GREETED}]}}
        types: {GREETED: {text: "Hello"}}
        translations: {de: {types: {GREETED: {text: "Hallo"}}}, pt: {types: {GREETED: {text: "Olá"}}}}
        """

    @Test func `a text is in the language of the profile, else of the device registered last`() async throws {
        let fixture = try StoreFixture(yaml: Self.greeting)
        let store = fixture.store
        let greet = { (fixture: StoreFixture) in
            let event = Event(type: "greeted", to: [.init(name: "people", users: [.ada, .bob, .cleo])])
            _ = try await fixture.publish(fixture.entry(event))
        }
        try await store.write(try Self.profile(["locale": "de-AT"]), of: .ada)
        for (user, token) in [(UserID.ada, "a"), (.bob, "b")] {
            try await store.register(
                Device(id: "phone", provider: .apns, token: token, locale: "pt-BR", registeredAt: .at(0)), for: user)
        }
        try await greet(fixture)
        #expect(try await fixture.texts(of: .ada) == ["Hallo"])
        #expect(try await fixture.texts(of: .bob) == ["Olá"])
        #expect(try await fixture.texts(of: .cleo) == ["Hello"])
        // The store's knowledge of people outlives the process.
        let again = try await fixture.reopened(yaml: Self.greeting)
        try await again.store.write(try Self.profile(["locale": "en"]), of: .ada)
        try await greet(again)
        #expect(try await again.texts(of: .ada) == ["Hello", "Hallo"])
        #expect(try await again.texts(of: .bob) == ["Olá", "Olá"])
        await again.remove()
    }
}
