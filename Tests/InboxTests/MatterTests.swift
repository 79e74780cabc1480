import Inbox
import JSON
import Testing

/// A batch's memory of the subjects of its events.
struct MatterTests {
    private static let yaml = """
        catalog: tests
        actor: [id]
        events: {added: {routes: [{to: people, type: ADDED}]}}
        types:
          ADDED:
            text: "{{things}}"
            subjects: {room: "{{room}}"}
            batch: {window: 5m, by: [room], count: things, nouns: {one: one thing, other: "{{count}} things"}}
            push: {title: Added, body: "{{things}}"}
        """

    private static func content(by actor: String?, in open: Batch?) throws -> Content {
        let type = try #require(Catalog(yaml: yaml, file: "tests.yaml").notificationType(named: "ADDED"))
        let event = Event(
            type: "added", actor: actor.map { ["id": .string($0)] }, to: [], data: ["room": "attic", "things": [1]])
        return type.content(for: event, at: Timestamp(milliseconds: 0), growing: open)
    }

    private static func batch(of actors: [String?]) throws -> Content {
        try #require(
            try actors.reduce(nil as Content?) { open, actor in try content(by: actor, in: open?.batch) })
    }

    @Test func `each list of subjects is there once, with the number of its events`() throws {
        let content = try Self.batch(of: ["ann", "ben", "ann"])
        #expect(content.push?.terms.subjects == [["actor:ann", "room:attic"], ["actor:ben", "room:attic"]])
        let batch = try #require(content.batch)
        #expect(batch.matters.map(\.events) == [2, 1])
        #expect(Batch(json: batch.json) == batch)
    }

    @Test func `an event that is taken back takes along what it was about`() throws {
        let batch = try #require(try Self.batch(of: ["ann", "ben", "ann"]).batch)
        let anns = try #require(try Self.batch(of: ["ann"]).batch)
        let rest = try #require(batch.removing(anns))
        #expect(rest.matters.map(\.subjects) == [["actor:ann", "room:attic"], ["actor:ben", "room:attic"]])
        #expect(try #require(rest.removing(anns)).matters.map(\.subjects) == [["actor:ben", "room:attic"]])
    }

    @Test func `of many lists the later ones are not told apart, and nobody can mute them`() throws {
        let content = try Self.batch(of: (0..<50).map { "user-\($0)" })
        let subjects = try #require(content.push?.terms.subjects)
        #expect(subjects.count == 33)
        #expect(subjects.last == [])
    }

    @Test func `the subjects of a batch of an older version are not known`() throws {
        var old = try #require(try Self.batch(of: ["ann"]).batch)
        old.matters = []
        #expect(try Self.content(by: "ben", in: old).push?.terms.subjects == [[], ["actor:ben", "room:attic"]])
    }
}
