import Inbox
import Testing

/// Parts of a catalog that work but were hardly meant.
struct CatalogWarningTests {
    private static func catalog(
        _ lines: String, top: String = "", data: String = "[at, room.name]", routes: String = "[{to: all, type: X}]"
    ) -> String {
        let body = lines.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n")
        return "catalog: c\n\(top)\nevents:\n  happened: {data: \(data), routes: \(routes)}\ntypes:\n  X:\n" + body
            + "\n"
    }

    private static let own = "catalog's own words"
    private static let text = #"text: "{{at}} in {{room.name}}""#

    static let doubtful: [(yaml: String, warnings: [String])] = [
        (catalog(text), []),
        (
            catalog(text + "\npreferences: {required: true, inApp: off}"),
            [
                "c.yaml:8: types.X.preferences.inApp: with \"required: true\" nobody gets this type, and nobody can switch it on"
            ]
        ),
        (
            catalog(text + "\npreferences: {required: true, push: off}\npush: {title: t, body: b}"),
            [
                "c.yaml:8: types.X.preferences.push: with \"required: true\" nobody gets a push of this type, and nobody can "
                    + "switch it on"
            ]
        ),
        (catalog(text + "\npreferences: {inApp: off, push: on}\npush: {title: t, body: b}"), []),
        (catalog(text + "\npreferences: {required: true, inApp: off, push: on}\npush: {title: t, body: b}"), []),
        (catalog(text + "\npreferences: {required: true, inApp: never}\npush: {title: t, body: b}"), []),
        (
            catalog(text + "\npreferences: {inApp: never}\npush: {title: t, body: b, when: never}"),
            [
                "c.yaml:8: types.X.preferences.inApp: with \"never\" here and no push by itself nobody is notified; expected on "
                    + "or off, or a push"
            ]
        ),
        (
            catalog(#"text: ["{{at}}", "{{at}} in {{room.name}}"]"#),
            [
                "c.yaml:7: types.X.text[1]: never used: the text before it needs nothing that may be missing, and counts always"
            ]
        ),
        (catalog(#"text: ["{{at}} in {{room.name}}", "{{at}}"]"#), []),
        (
            catalog(text + "\ngroup: Room #{{at}}"),
            [
                "c.yaml:8: types.X.group: YAML takes this for a comment, and the text ends before it; expected quotes around "
                    + "the whole text"
            ]
        ),
        (catalog(text + "\ngroup: 'Room #{{at}}' # as in #{{at}}"), []),
        (
            catalog(text + "\npreferences: {push: off}"),
            ["c.yaml:8: types.X.preferences.push: never used: the type has no push"]
        ),
        (catalog(text + "\npreferences: {inApp: off, push: off}\npush: {title: t, body: b}"), []),
        (catalog(text + "\npreferences: {required: true}\npush: {title: t, body: b}"), []),
        (
            catalog(text) + "  Y: {text: t}\n",
            ["c.yaml:8: types.Y: never used: no event has a route to this type"]
        ),
        (
            catalog(text, top: "categories: {a: {title: A}, b: {title: B}}").replacing(
                "X:\n", with: "X:\n    category: b\n"),
            ["c.yaml:2: categories.a: never used: no type has this category"]
        ),
        (
            catalog(text, data: "[at, room.name, actor.id, room.id]"),
            [
                "c.yaml:4: events.happened.data[2]: never used: {{actor.id}} is the event's actor and not its data; leave it "
                    + "out here"
            ]
        ),
        (
            catalog(text, routes: "[{to: all, type: X}, {to: some, type: X}, {to: all, type: X}]"),
            [#"c.yaml:4: events.happened.routes[2].type: never used: "all" gets X by an earlier route"#]
        ),
        (
            catalog(text, routes: "[]").replacing("X:\n", with: "X:\n"),
            [
                "c.yaml:4: events.happened: without routes nobody gets anything of this event",
                "c.yaml:6: types.X: never used: no event has a route to this type",
            ]
        ),
        (
            catalog(#"text: "{lab.test} of {{at}}, {{room.name}}""#),
            [
                #"c.yaml:7: types.X.text: "{lab.test}" is printed as it stands; a placeholder has two braces on either side: "#
                    + "{{path}}"
            ]
        ),
        (
            catalog(text + "\npush: {title: \"{ at }\", body: \"at}}\"}\nfields: {a: \"{at}\", b: \"{1}, {}, {a b}\"}"),
            [
                #"c.yaml:8: types.X.push.title: "{ at }" is printed as it stands; a placeholder has two braces on either "#
                    + "side: {{path}}",
                #"c.yaml:8: types.X.push.body: "}}" is printed as it stands; a placeholder has two braces on either side: "#
                    + "{{path}}",
                #"c.yaml:9: types.X.fields.a: "{at}" is printed as it stands; a placeholder has two braces on either side: "#
                    + "{{path}}",
            ]
        ),
        (
            catalog(
                text
                    + "\npreview: {path: at, max: 9}\npreviews: {p: {path: at, max: 9}}\nwords: {w: {path: at, of: {a: b}}}\n"
                    + "times: {t: {path: at, format: jm}}\nparts: {q: \"{{p}}\"}"),
            [
                "c.yaml:8: types.X.preview: never used: no text of the type shows {{preview}}",
                "c.yaml:10: types.X.words.w: never used: no text of the type shows {{w}}",
                "c.yaml:11: types.X.times.t: never used: no text of the type shows {{t}}",
                "c.yaml:12: types.X.parts.q: never used: no text of the type shows {{q}}",
            ]
        ),
        (
            catalog(text + "\npush: {title: t, body: b, when: always, grace: 5s}"),
            [
                #"c.yaml:8: types.X.push.grace: never used: with "when: always" no push waits for an acknowledgement"#
            ]
        ),
        (
            catalog(
                text + "\npush: {title: t, body: \"{{at}}\"}\ngroup: g\ngroupText: {one: one, other: more}",
                top: "translations: {de: {types: {X: {text: \"{{at}}: {{room.name}}\", groupText: }}}}"),
            [
                "c.yaml:2: translations.de.types.X: not translated: push.title, groupText; readers of this language get the "
                    + own
            ]
        ),
        (
            catalog(
                text + "\npreferences: {title: A}",
                top: "categories: {a: {title: A}}\npush: {digest: {title: New, body: News}}\n"
                    + "translations: {de: {title: C}, pt: {types: {X: {text: \"{{at}}{{room.name}}\"}}}, pt-BR: {}, en-GB: {}}"
            ).replacing("X:\n", with: "X:\n    category: a\n"),
            [
                "c.yaml:4: translations.de: not translated: categories.a.title; readers of this language get the "
                    + own,
                "c.yaml:4: translations.de: not translated: push.digest.title, push.digest.body; readers of this language get "
                    + "the " + own,
                "c.yaml:4: translations.de: not translated: types.X; readers of this language get the " + own,
                "c.yaml:4: translations.pt: not translated: categories.a.title; readers of this language get the "
                    + own,
                "c.yaml:4: translations.pt: not translated: push.digest.title, push.digest.body; readers of this language get "
                    + "the " + own,
                "c.yaml:4: translations.pt.types.X: not translated: preferences.title; readers of this language get the "
                    + own,
            ]
        ),
    ]

    @Test(arguments: doubtful)
    func `a part without effect is told, and keeps nothing from working`(_ yaml: String, _ warnings: [String]) throws {
        let found = try Catalog(yaml: yaml, file: "c.yaml").warnings.map(\.description)
        #expect(Set(found) == Set(warnings))
        #expect(found.count == warnings.count)
    }

    @Test(arguments: App.allCases)
    func `a catalog that ships has nothing of that`(_ app: App) throws {
        #expect(try app.catalog().warnings == [])
    }
}
