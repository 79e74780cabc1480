import Inbox
import JSON
import Testing

struct ReceptionTests {
    private static let now = Timestamp(milliseconds: 1_736_942_400_000)

    private static let catalog = """
        catalog: tests
        actor: [id, username]
        categories: {social: {title: Social}}
        events:
          liked: {routes: [{to: people, type: LIKED}]}
        types:
          LIKED: {category: social, text: "{{actor}}", push: {when: always, title: "t", body: "b"}}
          QUIET: {category: social, text: "{{actor}}", preferences: {push: off}}
          SECRET: {text: "{{actor}}", preferences: {inApp: off}}
          HIDDEN: {category: social, text: "{{actor}}", preferences: {inApp: off, push: on}, push: {title: t, body: b}}
          RANG: {category: social, text: "{{actor}}", preferences: {inApp: never}, push: {title: t, body: b}}
          ASKED:
            {category: social, text: "{{actor}}", preferences: {inApp: never, push: off}, push: {title: t, body: b}}
          NEEDED: {category: social, text: "{{actor}}", preferences: {required: true}}
        """

    private static func type(_ name: String) throws -> NotificationType {
        try #require(Catalog(yaml: catalog, file: "tests.yaml").notificationType(named: name))
    }

    private static func reception(_ type: String, _ settings: JSONValue, _ subjects: String...) throws -> Reception {
        try UserSettings(settings).reception(of: self.type(type), about: subjects, at: now)
    }

    @Test(
        arguments: [
            ("LIKED", .accepted(pushes: true)), ("QUIET", .accepted(pushes: false)),
            ("SECRET", .refused(.preferenceOff)), ("NEEDED", .accepted(pushes: true)),
            ("HIDDEN", .pushOnly), ("RANG", .pushOnly), ("ASKED", .refused(.preferenceOff)),
        ] as [(String, Reception)])
    func `a person without choices has the app's`(type: String, reception: Reception) throws {
        #expect(try Self.type(type).usualReception == reception)
        #expect(try Self.reception(type, [:]) == reception)
    }

    @Test func `a choice for a type comes before one for its category, and that before the app's`() throws {
        let category: JSONValue = ["categories": ["social": ["push": false]]]
        #expect(try Self.reception("LIKED", ["preferences": category]) == .accepted(pushes: false))
        let both: JSONValue = ["categories": ["social": ["push": false]], "types": ["LIKED": ["push": true]]]
        #expect(try Self.reception("LIKED", ["preferences": both]) == .accepted(pushes: true))
        let other: JSONValue = ["categories": ["social": ["push": true]], "types": ["LIKED": ["push": false]]]
        #expect(try Self.reception("QUIET", ["preferences": other]) == .accepted(pushes: true))
    }

    @Test func `channels are chosen one by one`() throws {
        let settings: JSONValue = [
            "preferences": ["categories": ["social": ["inApp": false]], "types": ["LIKED": ["push": false]]]
        ]
        #expect(try Self.reception("LIKED", settings) == .refused(.preferenceOff))
        let back: JSONValue = [
            "preferences": ["categories": ["social": ["inApp": false]], "types": ["LIKED": ["inApp": true]]]
        ]
        #expect(try Self.reception("LIKED", back) == .accepted(pushes: true))
    }

    // MARK: Pushes that are about to leave

    private static func refusal(
        _ settings: JSONValue, _ subjects: [[String]], _ preferences: ChannelPreferences = ChannelPreferences()
    ) throws -> Reception.Refusal? {
        let terms = PushTerms(category: "social", preferences: preferences, subjects: subjects)
        return try UserSettings(settings).refusal(of: "LIKED", under: terms, at: now)
    }

    @Test func `a batch is refused once all of its events are about what is muted`() throws {
        let mutes: JSONValue = ["mutes": [["subject": "actor:u1"], ["subject": "room:7"]]]
        #expect(try Self.refusal(mutes, [["actor:u1"], ["actor:u2"]]) == nil)
        #expect(try Self.refusal(mutes, [["actor:u1"], ["actor:u2", "room:7"]]) == .muted("actor:u1"))
        // Unknown subjects and missing ones are not muted.
        #expect(try Self.refusal(mutes, [["actor:u1"], []]) == nil)
        #expect(try Self.refusal(mutes, []) == nil)
    }

    @Test func `choices and the app's default decide as when a notification comes`() throws {
        let off: JSONValue = ["preferences": ["categories": ["social": ["push": false]]]]
        #expect(try Self.refusal(off, []) == .preferenceOff)
        #expect(try Self.refusal(off, [], ChannelPreferences(isRequired: true)) == nil)
        #expect(try Self.refusal([:], [], ChannelPreferences(push: false)) == .preferenceOff)
        let on: JSONValue = [
            "preferences": ["types": ["LIKED": ["push": true]], "categories": ["social": ["push": false]]]
        ]
        #expect(try Self.refusal(on, [], ChannelPreferences(push: false)) == nil)
        let hidden: JSONValue = ["preferences": ["types": ["LIKED": ["inApp": false]]]]
        #expect(try Self.refusal(hidden, []) == .preferenceOff)
    }

    // MARK: Pushes alone

    /// A choice for the type, one for its category, and what comes of it. `inApp` is first; nil for nothing chosen.
    private static let alone: [(type: String, own: [Bool?], category: [Bool?], reception: Reception)] = [
        ("LIKED", [false, true], [nil, nil], .pushOnly),
        ("LIKED", [false, nil], [nil, nil], .refused(.preferenceOff)),
        ("LIKED", [false, false], [nil, nil], .refused(.preferenceOff)),
        // Of two choices the one for the type counts; to switch the inbox off is to switch pushes off, too.
        ("LIKED", [nil, nil], [false, true], .pushOnly), ("LIKED", [nil, true], [false, nil], .pushOnly),
        ("LIKED", [false, nil], [nil, true], .refused(.preferenceOff)),
        ("LIKED", [nil, nil], [false, nil], .refused(.preferenceOff)),
        ("LIKED", [true, nil], [false, true], .accepted(pushes: true)),
        // The app's default wants pushes alone.
        ("HIDDEN", [true, nil], [nil, nil], .accepted(pushes: true)),
        ("HIDDEN", [nil, false], [nil, nil], .refused(.preferenceOff)),
        ("HIDDEN", [nil, nil], [false, nil], .refused(.preferenceOff)),
        // There is no inbox to choose.
        ("RANG", [true, nil], [nil, nil], .pushOnly), ("RANG", [nil, false], [nil, nil], .refused(.preferenceOff)),
        ("RANG", [nil, nil], [nil, false], .refused(.preferenceOff)), ("RANG", [nil, true], [nil, false], .pushOnly),
        ("RANG", [nil, nil], [false, nil], .refused(.preferenceOff)), ("ASKED", [nil, true], [nil, nil], .pushOnly),
    ]

    @Test(arguments: alone.indices)
    func `pushes can come alone where somebody wants them so`(row: Int) throws {
        let row = Self.alone[row]
        var settings = UserSettings()
        settings.types[ExactText(row.type)] = ChannelChoice(inApp: row.own[0], push: row.own[1])
        settings.categories[ExactText("social")] = ChannelChoice(inApp: row.category[0], push: row.category[1])
        #expect(settings.reception(of: try Self.type(row.type), about: [], at: Self.now) == row.reception, "\(row)")
    }

    @Test func `a mute silences what is only pushed`() throws {
        let mutes: JSONValue = ["mutes": [["subject": "actor:u1"]]]
        #expect(try Self.reception("RANG", mutes, "actor:u1") == .refused(.muted("actor:u1")))
    }

    @Test func `a muted subject does not come, until the mute ends`() throws {
        let mutes: JSONValue = [
            "mutes": [["subject": "room:7"], ["subject": "actor:u1", "until": "2025-01-15T12:00:00.001Z"]]
        ]
        #expect(try Self.reception("LIKED", mutes, "actor:u2", "room:7") == .refused(.muted("room:7")))
        #expect(try Self.reception("LIKED", mutes, "actor:u1", "room:8") == .refused(.muted("actor:u1")))
        #expect(try Self.reception("LIKED", mutes, "actor:u2", "room:8") == .accepted(pushes: true))
        let over: JSONValue = ["mutes": [["subject": "actor:u1", "until": "2025-01-15T12:00:00Z"]]]
        #expect(try Self.reception("LIKED", over, "actor:u1") == .accepted(pushes: true))
    }

    @Test func `a type that the app requires can neither be switched off nor muted`() throws {
        let settings: JSONValue = [
            "preferences": [
                "categories": ["social": ["inApp": false]], "types": ["NEEDED": ["inApp": false, "push": false]],
            ],
            "mutes": [["subject": "room:7"]],
        ]
        #expect(try Self.reception("NEEDED", settings, "room:7") == .accepted(pushes: true))
        let catalogs = [try Catalog(yaml: Self.catalog, file: "tests.yaml")]
        let problem = try #require(throws: PreferenceProblem.self) {
            try PreferenceEdits(["types": ["NEEDED": ["push": false]]]).check(catalogs)
        }
        #expect((problem.code, problem.pointer) == ("required_type", "/types/NEEDED"))
        try PreferenceEdits(["types": ["NEEDED": ["push": true]]]).check(catalogs)
    }

    @Test func `a name that no catalog has is told with the nearest one`() throws {
        let catalogs = [try Catalog(yaml: Self.catalog, file: "tests.yaml")]
        let type = try #require(throws: PreferenceProblem.self) {
            try PreferenceEdits(["types": ["LIKE": ["push": false]]]).check(catalogs)
        }
        #expect((type.code, type.pointer) == ("unknown_notification_type", "/types/LIKE"))
        #expect(type.message.contains("LIKED"))
        let category = try #require(throws: PreferenceProblem.self) {
            try PreferenceEdits(["categories": ["sociall": nil]]).check(catalogs)
        }
        #expect((category.code, category.pointer) == ("unknown_category", "/categories/sociall"))
        #expect(category.message.contains("social"))
    }
}
