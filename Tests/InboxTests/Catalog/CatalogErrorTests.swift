import Inbox
import JSON
import Testing

struct CatalogErrorTests {
    /// A type `X` whose lines begin at line 4 of the file, and an event that leads to it.
    private static func type(_ lines: String) -> String {
        let body = lines.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n")
        return "catalog: c\ntypes:\n  X:\n" + body
            + "\nevents:\n  happened: {data: [room.id, room.name, elements], routes: [{to: all, type: X}]}\n"
    }

    static let mistakes: [(yaml: String, issues: [String])] = [
        ("", ["c.yaml:1: the file is empty; expected a catalog"]),
        ("- a", ["c.yaml:1: expected a mapping, found a list"]),
        ("catalog: [", ["c.yaml:2: invalid YAML: did not find expected node content"]),
        (
            "catalog: c\ncatalog: d",
            ["c.yaml:2: catalog: this key stands in line 1 already; expected each key once"]
        ),
        (
            "badge: unread",
            [
                #"c.yaml:1: "catalog" is missing; expected the catalog's name"#,
                #"c.yaml:1: "events" is missing; expected the events and their routes"#,
                #"c.yaml:1: "types" is missing; expected the notification types"#,
            ]
        ),
        (
            "catalog: c\nbage: unread\nactorName: nickname\nevents: {}\ntypes: {}",
            [
                #"c.yaml:2: bage: unknown key; did you mean "badge"?"#,
                "c.yaml:3: actorName: expected firstName or username",
            ]
        ),
        ("catalog: c\nactor: []\nevents: {}\ntypes: {}", ["c.yaml:2: actor: expected at least one member, like id"]),
        (
            "catalog: c\nactor: [id, name, id]\nevents: {}\ntypes: {}",
            [#"c.yaml:2: actor[2]: "id" stands here already; expected each member once"#]
        ),
        (
            "catalog: c\nmembers: {n: counts, id: count}\nevents: {}\ntypes: {}",
            [
                "c.yaml:2: members.n: expected samples, count or icon",
                "c.yaml:2: members.id: every notification has a member of this name already; expected another name",
            ]
        ),
        (
            "catalog: c\nevents:\n  e:\n    routes:\n      - {to: all, type: ROOM_LIKED}\n      - {too: all}\n"
                + "types: {ROOM_LIKE: {text: t}}",
            [
                #"c.yaml:5: events.e.routes[0].type: unknown notification type; did you mean "ROOM_LIKE"?"#,
                #"c.yaml:6: events.e.routes[1]: "to" is missing; expected the name of a recipient list"#,
                #"c.yaml:6: events.e.routes[1]: "type" is missing; expected the name of a notification type"#,
                #"c.yaml:6: events.e.routes[1].too: unknown key; did you mean "to"?"#,
            ]
        ),
        (
            "catalog: c\nevents: {e: {}}\ntypes: {}",
            [#"c.yaml:2: events.e: "routes" is missing; expected a list of {to: …, type: …}"#]
        ),
        (type("category: x"), [#"c.yaml:4: types.X: "text" is missing; expected the notification's text"#]),
        (type("text: {a: b}"), ["c.yaml:4: types.X.text: expected a text, found a mapping"]),
        (type("text: []"), ["c.yaml:4: types.X.text: expected at least one text"]),
        (type("text: [a, [b]]"), ["c.yaml:4: types.X.text[1]: expected a text, found a list"]),
        (type("text: [\"\", a]"), ["c.yaml:4: types.X.text[0]: expected a text, found an empty one"]),
        (type(#"text: """#), ["c.yaml:4: types.X.text: expected a text, found an empty one"]),
        (type("text: t\ntxt: u"), [#"c.yaml:5: types.X.txt: unknown key; did you mean "text"?"#]),
        (
            type(#"text: "{{room.nam}}""#),
            [#"c.yaml:4: types.X.text: the data of event "happened" has no "room.nam"; did you mean "room.name"?"#]
        ),
        (
            type(#"text: "{{acter}}""#),
            [#"c.yaml:4: types.X.text: the data of event "happened" has no "acter"; did you mean "actor"?"#]
        ),
        (
            type(#"text: "{{room}}""#),
            [
                #"c.yaml:4: types.X.text: the data of event "happened" has no "room"; "#
                    + "expected room.id, room.name, elements or actor"
            ]
        ),
        (type(#"text: "{{room.id""#), [#"c.yaml:4: types.X.text: "}}" is missing: expected "{{room.id}}""#]),
        (
            type(#"text: "{{}}""#),
            [#"c.yaml:4: types.X.text: expected a path like room.name, made of letters, digits, "_" and "-""#]
        ),
        (
            type(#"text: "{{room id}}""#),
            [#"c.yaml:4: types.X.text: expected a path like room.name, made of letters, digits, "_" and "-""#]
        ),
        (
            type(#"text: "{{#rooms}}{{/rooms}}""#),
            ["c.yaml:4: types.X.text: sections are not supported: expected {{path}}"]
        ),
        (type(#"text: "{{>head}}""#), ["c.yaml:4: types.X.text: partials are not supported: expected {{path}}"]),
        (type(#"text: "{{{room.id}}}""#), ["c.yaml:4: types.X.text: text is never escaped: expected {{path}}"]),
        (type(#"text: "{{&room.id}}""#), ["c.yaml:4: types.X.text: text is never escaped: expected {{path}}"]),
        (
            type("text: t\npreview: {path: room.name}"),
            [#"c.yaml:5: types.X.preview: "max" is missing; expected the greatest number of characters"#]
        ),
        (
            type("text: t\npreview: {path: room.name, max: 3}"),
            ["c.yaml:5: types.X.preview.max: expected a whole number from 4 to 10000"]
        ),
        (
            type("text: t\ndeepLink: {roomId: null}"),
            [#"c.yaml:5: types.X.deepLink: "type" is missing; expected the kind of place to open"#]
        ),
        (
            type("text: t\ndeepLink: {type: room, actorId: x}"),
            ["c.yaml:5: types.X.deepLink.actorId: every deep link ends with the actor's id; expected no such key"]
        ),
        (
            type("text: t\nfields: {seq: 1}"),
            [
                "c.yaml:5: types.X.fields.seq: every notification has a member of this name already; "
                    + "expected another name"
            ]
        ),
        (
            type("text: t\nfields: {place: 1}"),
            [
                "c.yaml:5: types.X.fields.place: every notification has a member of this name already; "
                    + "expected another name"
            ]
        ),
        (
            type("text: t\nfields: {n: {valeu: room.id}}"),
            [
                #"c.yaml:5: types.X.fields.n: "value" is missing; expected the path of a value in the event"#,
                #"c.yaml:5: types.X.fields.n.valeu: unknown key; did you mean "value"?"#,
            ]
        ),
        (
            type("text: t\nfields: {n: [a, {b: \"{{room.id}}\"}], m: {value: room.id, default: \"{{room.name}}\"}}"),
            [
                "c.yaml:5: types.X.fields.n: expected no {{placeholder}} here: only a member's own text is filled in",
                "c.yaml:5: types.X.fields.m.default: expected no {{placeholder}} here: only a member's own text is "
                    + "filled in",
            ]
        ),
        (
            type("text: t\nbatch: {window: 5m, by: [], count: elements, kind: kind, nouns: {}}"),
            ["c.yaml:5: types.X.batch.nouns: expected at least one kind"]
        ),
        (
            type(
                "text: t\nbatch: {window: 5m, by: [], count: elements, kind: kind, nouns: {photo: a, note: b}, "
                    + "samples: {n: 5, kinds: [photo, nota]}}"),
            ["c.yaml:5: types.X.batch.samples.kinds[1]: expected photo or note"]
        ),
        (
            type(
                "text: t\nbatch: {window: 5m, by: [], count: elements, nouns: a, samples: {n: 5, kinds: [photo]}}"),
            [
                "c.yaml:5: types.X.batch.samples.kinds[0]: expected no kinds, for elements have none without \"kind\""
            ]
        ),
        (
            type("text: t\npush: {when: maybe, title: t, body: b}"),
            ["c.yaml:5: types.X.push.when: expected fallback, always or never"]
        ),
        (type("text: t\npush: {title: t}"), [#"c.yaml:5: types.X.push: "body" is missing; expected the push's text"#]),
        (
            type("text: t\npush: {title: t, body: b, perHour: 0, grace: -1s, lifetime: 0s, bodyMax: 5}"),
            [
                "c.yaml:5: types.X.push.perHour: expected a whole number from 1 to 1000",
                "c.yaml:5: types.X.push.grace: expected a duration like 0s, 500ms or 10s",
                "c.yaml:5: types.X.push.lifetime: expected a duration like 90s, 5m or 1h",
                "c.yaml:5: types.X.push.bodyMax: expected a whole number from 20 to 4000",
            ]
        ),
        (
            type("text: t\npush: {title: t, body: b, mutableContent: 1, sound: \"{{room.id}}\", actions: [a]}"),
            [
                "c.yaml:5: types.X.push.mutableContent: expected true or false",
                "c.yaml:5: types.X.push.sound: expected a text without {{placeholders}}",
                "c.yaml:5: types.X.push.actions: expected a text, found a list",
            ]
        ),
        (
            type("text: t\npush: {title: t, body: b, contentAvaliable: true, replaceKey: \"{{romo.id}}\"}"),
            [
                #"c.yaml:5: types.X.push.contentAvaliable: unknown key; did you mean "contentAvailable"?"#,
                #"c.yaml:5: types.X.push.replaceKey: the data of event "happened" has no "romo.id"; "#
                    + #"did you mean "room.id"?"#,
            ]
        ),
        (
            type("text: t\npush: {title: t, body: \"{{count}}\", summary: {title: \"{{cuont}}\"}}"),
            [
                #"c.yaml:5: types.X.push.body: the data of event "happened" has no "count"; "#
                    + "expected room.id, room.name, elements or actor",
                #"c.yaml:5: types.X.push.summary: "body" is missing; expected the text of a push for several"#,
                #"c.yaml:5: types.X.push.summary.title: the data of event "happened" has no "cuont"; "#
                    + #"did you mean "count"?"#,
            ]
        ),
        (
            type(
                "text: t\npush: {title: t, body: \"{{people}}\", "
                    + "summary: {title: \"{{people}} did {{count}}\", body: {one: \"{{people}}\", other: \"{{count}}\"}}}"
            ),
            [
                #"c.yaml:5: types.X.push.body: the data of event "happened" has no "people"; "#
                    + "expected room.id, room.name, elements or actor",
                "c.yaml:5: types.X.push.summary.title: expected either {{count}} or {{people}}: "
                    + "only one number can choose the form",
                "c.yaml:5: types.X.push.summary.body: expected either {{count}} or {{people}}: "
                    + "only one number can choose the form",
            ]
        ),
        (
            type("text: t\npush: {title: t, body: b, data: {aps: 1, gcm.n: 1, fromage: 1, from: 1}}"),
            [
                "c.yaml:5: types.X.push.data.aps: push services reserve this name; expected another name",
                "c.yaml:5: types.X.push.data.gcm.n: push services reserve this name; expected another name",
                "c.yaml:5: types.X.push.data.from: push services reserve this name; expected another name",
            ]
        ),
        (
            "catalog: c\napp: [a]\npush: {perHour: 1}\nevents: {}\ntypes: {}",
            [
                "c.yaml:2: app: expected a text, found a list",
                "c.yaml:3: push.perHour: unknown key; expected when, urgency, actorName, grace, lifetime, sound, growthSound, "
                    + "bodyMax or digest",
            ]
        ),
        (
            type(
                "text: \"{{elements}}\"\nbatch:\n  window: 5 minutes\n  by: [actor]\n  count: room.name.x.y\n"
                    + "  nouns: {one: a, other: \"{{n}}\"}"
            ),
            [
                "c.yaml:6: types.X.batch.window: expected a duration like 90s, 5m or 1h",
                "c.yaml:7: types.X.batch.by[0]: expected the path of a single value, like actor.id",
                "c.yaml:9: types.X.batch.nouns.other: unknown placeholder; expected {{count}}",
            ]
        ),
    ]

    @Test(arguments: mistakes)
    func `a mistake is told with its line, its key and what was expected`(_ yaml: String, _ issues: [String]) throws {
        let error = try #require(throws: CatalogError.self) { try Catalog(yaml: yaml, file: "c.yaml") }
        #expect(error.description.split(separator: "\n").map(String.init) == issues)
    }

    @Test(arguments: ["5", "0s", "-5m", "5w", "m", "", "1.5h", "9999999999s", "5 m", "٥m"])
    func `a duration needs a positive whole number and a unit`(_ duration: String) throws {
        let yaml = Self.type(
            "text: t\nbatch: {window: \"\(duration)\", by: [], count: elements, nouns: {one: a, other: b}}")
        let error = try #require(throws: CatalogError.self) { try Catalog(yaml: yaml, file: "c.yaml") }
        #expect(error.issues.map(\.key) == ["types.X.batch.window"])
    }

    @Test(
        arguments: [
            ("500ms", .milliseconds(500)), ("90s", .seconds(90)), ("5m", .seconds(300)), ("1h", .seconds(3_600)),
            ("2d", .seconds(172_800)),
        ] as [(String, Duration)])
    func `a duration has a unit`(_ text: String, _ duration: Duration) throws {
        let yaml = Self.type("text: t\nbatch: {window: \(text), by: [], count: elements, nouns: {one: a, other: b}}")
        let catalog = try Catalog(yaml: yaml, file: "c.yaml")
        #expect(catalog.notificationType(named: "X")?.batchWindow == duration)
    }

    /// Each line stands for nine times as much as the one before it.
    @Test func `a few lines with aliases that stand for millions of values are refused at once`() throws {
        var lines = ["catalog: c", "x0: &x0 [y, y, y, y, y, y, y, y, y]"]
        for number in 1...9 {
            let aliases = Array(repeating: "*x\(number - 1)", count: 9).joined(separator: ", ")
            lines.append("x\(number): &x\(number) [\(aliases)]")
        }
        let error = #expect(throws: CatalogError.self) {
            try Catalog(yaml: lines.joined(separator: "\n"), file: "c.yaml")
        }
        #expect(error?.issues.count == 1)
        #expect(error?.issues.first?.message.hasPrefix("expected at most 100000 values") == true)
    }

    @Test func `an issue knows its column`() throws {
        let error = try #require(throws: CatalogError.self) {
            try Catalog(yaml: Self.type("text: t\n  push: {title: t}"), file: "c.yaml")
        }
        let issue = try #require(error.issues.first)
        #expect((issue.file, issue.line) == ("c.yaml", 5))
        #expect(issue.column > 0)
    }
}
