import Inbox
import JSON
import Testing

struct AudienceTests {
    private static let yaml = """
        catalog: tests
        events: {e: {routes: [{to: first, type: A}, {to: second, type: B}, {to: third, type: A}]}}
        types: {A: {text: a}, B: {text: b}}
        """

    /// Members as "user route", and why others get nothing.
    private func audience(
        _ lists: Event.RecipientList..., topics: [String: [String]] = [:]
    ) throws -> (members: [String], excluded: [String], everybodyElse: Int?) {
        let catalog = try Catalog(yaml: Self.yaml, file: "tests.yaml")
        let routed = try catalog.route(Event(type: "e", actor: ["id": "me"], to: lists))
        let audience = Audience(of: routed) { Rooms.users(topics[$0] ?? []) }
        return (
            audience.members.map { "\($0.user.name) \(routed.routes[$0.route].list.name)" },
            audience.excluded.map { "\($0.user.name) \($0.exclusion)" }, audience.everybodyElse
        )
    }

    @Test func `people come before the members of topics, and each person is one member`() throws {
        let found = try audience(
            .init(name: "first", users: Rooms.users("a", "b"), topics: ["t", "u", "nobody"]),
            .init(name: "second", users: Rooms.users("c", "d"), topics: ["t"]),
            topics: ["t": ["b", "c"], "u": ["a", "c", "e"]])
        #expect(found.members == ["a first", "b first", "c first", "e first", "d second"])
        #expect(found.excluded.isEmpty)
    }

    @Test func `the actor is excluded once, wherever they stand`() throws {
        let found = try audience(
            .init(name: "first", users: Rooms.users("me"), topics: ["t"]),
            .init(name: "second", users: Rooms.users("me")), .init(name: "unknown", users: Rooms.users("me")),
            topics: ["t": ["me", "a"]])
        #expect(found.members == ["a first"])
        #expect(found.excluded == ["me actor"])
    }

    @Test func `people who stand only in lists that no route names are excluded`() throws {
        let found = try audience(
            .init(name: "first", users: Rooms.users("a")),
            .init(name: "unknown", users: Rooms.users("a", "b", "b"), topics: ["t"]), topics: ["t": ["c", "a"]])
        #expect(found.members == ["a first"])
        #expect(found.excluded == ["b unrouted", "c unrouted"])
    }

    @Test func `everybody else is whoever no route before covers, and routes behind have nobody left`() throws {
        let found = try audience(
            .init(name: "first", users: Rooms.users("a")), .init(name: "second", isEverybody: true),
            .init(name: "third", users: Rooms.users("b")))
        #expect(found.members == ["a first", "b second"])
        #expect(found.everybodyElse == 1)
        let unrouted = try audience(
            .init(name: "first", isEverybody: true), .init(name: "unknown", users: Rooms.users("c")))
        #expect(unrouted.excluded.isEmpty)
        let none = try audience(.init(name: "unknown", isEverybody: true))
        #expect(none.everybodyElse == nil)
    }

    @Test func `a person's own data is that of the list that covers them`() throws {
        let catalog = try Catalog(yaml: Self.yaml, file: "tests.yaml")
        let user = try #require(UserID("a"))
        let lists: [Event.RecipientList] = [
            .init(name: "second", users: [user], own: [user: ["n": 2]]),
            .init(name: "first", users: [user], own: [user: ["n": 1]]),
        ]
        let routed = try catalog.route(Event(type: "e", to: lists))
        #expect(Audience(of: routed) { _ in [] }.members.map(\.own) == [["n": 1]])
    }
}
