import Inbox
import JSON
import Testing

struct SubjectKindTests {
    private static let now = Timestamp(milliseconds: 1_736_942_400_000)  // 2025-01-15T12:00:00Z
    private static let golf = """
        catalog: golf
        actor: [id, username]
        events:
          played: {routes: [{to: people, type: PLAYED}]}
          said: {routes: [{to: people, type: SAID}]}
        types:
          PLAYED: {text: "{{actor}}", subjects: {round: "{{round.id}}", "{{kind}}": "{{id}}"}}
          SAID: {text: "{{actor}}"}
        """
    private static let rooms = """
        catalog: rooms
        actor: [id, username]
        events:
          liked: {routes: [{to: people, type: LIKED}]}
        types:
          LIKED: {text: "{{actor}}", subjects: {room: "{{room.type}}:{{room.id}}"}}
        """

    private static func catalogs() throws -> SubjectKinds {
        SubjectKinds(of: [try Catalog(yaml: golf, file: "golf.yaml"), try Catalog(yaml: rooms, file: "rooms.yaml")])
    }

    private static func mute(_ subject: String, _ known: SubjectKinds, _ settings: inout UserSettings) throws {
        _ = try settings.apply(.mute(ExactText(subject), until: nil, known: known), at: now)
    }

    private static func settings(_ mutes: JSONValue) throws -> UserSettings { try UserSettings(["mutes": mutes]) }

    // MARK: What catalogs know

    @Test func `actors are known, and the kinds that any type of any catalog names`() throws {
        #expect(try Self.catalogs() == SubjectKinds(["actor", "round", "{{kind}}", "room"]))
        #expect(SubjectKinds(of: []) == SubjectKinds(["actor"]))
    }

    @Test(arguments: ["actor:u1", "round:7", "room:course:7", "{{kind}}:7"])
    func `a subject of a kind that a catalog names can be muted, whatever its id`(subject: String) throws {
        var settings = UserSettings()
        try Self.mute(subject, Self.catalogs(), &settings)
        #expect(settings.mutes.keys.map(\.text) == [subject])
    }

    @Test(arguments: ["rooms:7", "Room:7", "course:7", "room\u{301}:7", "room :7", "person:room:7"])
    func `a subject of a kind that no catalog names cannot be muted`(subject: String) throws {
        var settings = UserSettings()
        let problem = try #require(throws: PreferenceProblem.self) {
            try Self.mute(subject, Self.catalogs(), &settings)
        }
        #expect((problem.code, problem.pointer) == ("unknown_subject_kind", ""))
        #expect(settings == UserSettings())
    }

    @Test func `a kind that is not known is told with the nearest one and all others`() throws {
        var settings = UserSettings()
        let problem = try #require(throws: PreferenceProblem.self) {
            try Self.mute("rooms:secret", SubjectKinds(["round", "room"]), &settings)
        }
        #expect(
            problem.message
                == #"no catalog has subjects of the kind "rooms"; did you mean "room"?; known are actor, room, round"#)
    }

    @Test func `of very many kinds ten are told`() throws {
        var settings = UserSettings()
        let problem = try #require(throws: PreferenceProblem.self) {
            try Self.mute("thing:7", SubjectKinds((10..<25).map { "b\($0)" }), &settings)
        }
        #expect(problem.message.hasSuffix("; known are actor, b10, b11, b12, b13, b14, b15, b16, b17, b18 and 6 more"))
    }

    // MARK: Kinds that are gone

    @Test func `settings that were read can be put back when a kind is gone`() throws {
        var settings = try Self.settings([["subject": "room:7"], ["subject": "actor:u1"]])
        let read = settings
        #expect(try !settings.apply(.replace(read, known: SubjectKinds(["round"])), at: Self.now))
        #expect(settings == read)
    }

    @Test func `a kind with a muted subject can be muted and unmuted until its last mute is gone`() throws {
        var settings = try Self.settings([["subject": "room:7"]])
        let known = SubjectKinds(["round"])
        try Self.mute("room:8", known, &settings)
        for subject in ["room:7", "room:8"] {
            #expect(try settings.apply(.unmute(ExactText(subject)), at: Self.now))
        }
        #expect(throws: PreferenceProblem.self) { try Self.mute("room:7", known, &settings) }
    }

    @Test func `a mute that has ended is no reason to know its kind, and none to refuse settings that have it`() throws
    {
        var settings = try Self.settings([["subject": "room:7", "until": "2025-01-15T12:00:00Z"]])
        let read = settings
        #expect(throws: PreferenceProblem.self) { try Self.mute("room:8", SubjectKinds(["round"]), &settings) }
        #expect(try settings.apply(.replace(read, known: SubjectKinds(["round"])), at: Self.now))
        #expect(settings.mutes.isEmpty)
    }

    @Test func `among settings the first kind that is not known is told`() throws {
        var settings = try Self.settings([["subject": "gone:7"]])
        let before = settings
        let others = try Self.settings([["subject": "gone:8"], ["subject": "rooms:1"], ["subject": "cuorse:1"]])
        let problem = try #require(throws: PreferenceProblem.self) {
            try settings.apply(.replace(others, known: SubjectKinds(["room"])), at: Self.now)
        }
        #expect((problem.code, problem.pointer) == ("unknown_subject_kind", "/mutes"))
        #expect(problem.message.contains(#""cuorse""#))
        #expect(settings == before)
    }
}
