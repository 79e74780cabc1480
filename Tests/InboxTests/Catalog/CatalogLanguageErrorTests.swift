import Inbox
import Testing

/// Mistakes in what a catalog says beside plain texts.
struct CatalogLanguageErrorTests {
    /// A type `X` whose lines begin at line 5 of the file, and an event that leads to it.
    private static func type(_ lines: String, top: String = "") -> String {
        let body = lines.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n")
        return "catalog: c\n\(top)\ntypes:\n  X:\n" + body
            + "\nevents:\n  happened: {data: [room.id, at, elements], routes: [{to: all, type: X}]}\n"
    }

    private static let batch = "batch: {window: 5m, by: [], count: elements, nouns: {other: n}}"

    static let types: [(yaml: String, issues: [String])] = [
        (
            type("category: requets\ntext: t", top: "categories: {requests: {}, social: {}}"),
            [#"c.yaml:5: types.X.category: unknown category; did you mean "requests"?"#]
        ),
        (
            type("text: [\"{{room.di}}\", t]"),
            [#"c.yaml:5: types.X.text[0]: the data of event "happened" has no "room.di"; did you mean "room.id"?"#]
        ),
        (
            type("text: \"{{preview}}\"\npreview: {path: room.id, max: 9, optional: true, pth: a}"),
            [
                "c.yaml:5: types.X.text: {{preview}} may be missing; expected a list of texts whose last text works "
                    + "without it",
                #"c.yaml:6: types.X.preview.pth: unknown key; did you mean "path"?"#,
            ]
        ),
        (
            type("text: [t, \"{{date}}\"]\ntimes: {date: {path: at, format: yMMMd, optional: true}}"),
            [
                "c.yaml:5: types.X.text[1]: {{date}} may be missing; expected a list of texts whose last text works without it"
            ]
        ),
        (
            type("text: t\ntimes: {date: {path: when, format: yMMMd, fmt: a}, actor: {path: at, format: jm}}"),
            [
                "c.yaml:6: types.X.times.date.path: the data of event \"happened\" has no \"when\"; "
                    + "expected room.id, at, elements or actor",
                #"c.yaml:6: types.X.times.date.fmt: unknown key; expected path, format, blanks or optional"#,
                "c.yaml:6: types.X.times.actor: there is a placeholder of this name already; expected another name",
            ]
        ),
        (
            type("text: t\ntimes: {date: {path: at, format: \"yyyy-MM-dd\"}, day: {path: at}}"),
            [
                "c.yaml:6: types.X.times.date.format: expected a date skeleton (Unicode UTS 35) like yMMMd or jm",
                #"c.yaml:6: types.X.times.day: "format" is missing; expected a date skeleton, like yMMMd"#,
            ]
        ),
        (
            type("text: \"{{wrod}}\"\nwords: {word: {path: room.id, of: {a: [b]}}, actor: {path: room.id, of: {}}}"),
            [
                #"c.yaml:5: types.X.text: the data of event "happened" has no "wrod"; did you mean "word"?"#,
                "c.yaml:6: types.X.words.word.of.a: expected a text, found a list",
                "c.yaml:6: types.X.words.actor: there is a placeholder of this name already; expected another name",
            ]
        ),
        (
            type("text: t\nfields: {cta: {label: \"{{romo.id}}\"}, v: {valeu: room.id}, w: {default: 1}}"),
            [
                #"c.yaml:6: types.X.fields.cta.label: the data of event "happened" has no "romo.id"; "#
                    + #"did you mean "room.id"?"#,
                #"c.yaml:6: types.X.fields.v: "value" is missing; expected the path of a value in the event"#,
                #"c.yaml:6: types.X.fields.v.valeu: unknown key; did you mean "value"?"#,
                #"c.yaml:6: types.X.fields.w: "value" is missing; expected the path of a value in the event"#,
            ]
        ),
        (
            type("text: t\nfields: {group: a}\ngroupText: \"{{cuont}}\""),
            [
                "c.yaml:6: types.X.fields.group: every notification has a member of this name already; "
                    + "expected another name",
                "c.yaml:7: types.X.groupText: the type has no \"group\"; expected what the notifications of one group "
                    + "have in common",
                #"c.yaml:7: types.X.groupText: the data of event "happened" has no "cuont"; did you mean "count"?"#,
            ]
        ),
        (
            type("text: t\ngroup: g\ngroupText: {one: a, few: b, tow: c}"),
            [
                #"c.yaml:7: types.X.groupText: "other" is missing; expected how all other numbers read, "#
                    + #"like "{{count}} photos""#,
                #"c.yaml:7: types.X.groupText.few: "en" has no plural form of this name; expected one or other"#,
                #"c.yaml:7: types.X.groupText.tow: unknown key; did you mean "two"?"#,
            ]
        ),
        (
            type("text: t\n\(batch.replacing("{other: n}", with: "{one: a, other: n}"))", top: "locale: ja"),
            [#"c.yaml:6: types.X.batch.nouns.one: "ja" has no plural form of this name; expected other"#]
        ),
        (
            type("text: t\nsubjects: {actor: a, \"a:b\": c, room: \"{{romo.id}}\"}"),
            [
                "c.yaml:6: types.X.subjects.actor: every event's actor can be muted already; expected another name",
                #"c.yaml:6: types.X.subjects.a:b: expected a name without ":", like room"#,
                #"c.yaml:6: types.X.subjects.room: the data of event "happened" has no "romo.id"; did you mean "room.id"?"#,
            ]
        ),
        (
            type("text: t\npreferences: {inApp: never}"),
            [
                #"c.yaml:6: types.X.preferences.inApp: the type has no "push", so nobody would ever be notified; expected on or off"#
            ]
        ),
        (
            type("text: t\npreferences: {inApp: maybe, push: 1, required: on, pusch: off, title: \"{{at}}\"}"),
            [
                "c.yaml:6: types.X.preferences.inApp: expected on, off or never",
                "c.yaml:6: types.X.preferences.push: expected on or off",
                "c.yaml:6: types.X.preferences.required: expected true or false",
                #"c.yaml:6: types.X.preferences.pusch: unknown key; did you mean "push"?"#,
                "c.yaml:6: types.X.preferences.title: expected a text without {{placeholders}}",
            ]
        ),
        (
            type("text: t\npush: {title: t, body: b, timing: trailing}"),
            ["c.yaml:6: types.X.push.timing: only a type with a batch gathers events; expected leading"]
        ),
        (
            type("text: t\n\(batch)\npush: {title: t, body: b, timing: late}"),
            ["c.yaml:7: types.X.push.timing: expected leading, each or trailing"]
        ),
        (
            type("text: t\npush: {title: t, body: b, data: {room: {id: \"{{room.id}}\"}}}"),
            ["c.yaml:6: types.X.push.data.room: a push's data holds no objects; expected a text, a number or a boolean"]
        ),
        (
            type("text: t\npush: {title: t, body: b, digest: {title: t, body: b}}"),
            [
                "c.yaml:6: types.X.push.digest: unknown key; expected when, urgency, actorName, grace, lifetime, sound, growthSound, "
                    + "bodyMax, title, body, group, data, perHour, image, actions, replaceKey, mutableContent, "
                    + "contentAvailable, summary or timing"
            ]
        ),
        (
            type("text: t", top: "push: {digest: {title: \"{{room.id}}\", boddy: b}}"),
            [
                #"c.yaml:2: push.digest: "body" is missing; expected the text of a push for several"#,
                "c.yaml:2: push.digest.title: unknown placeholder; expected {{count}}",
                #"c.yaml:2: push.digest.boddy: unknown key; did you mean "body"?"#,
            ]
        ),
        (
            type("text: t", top: "locale: english"),
            ["c.yaml:2: locale: expected a language tag (BCP 47) like en or pt-BR"]
        ),
        (
            type("text: t", top: "zone: Europe/Berlni"),
            [#"c.yaml:2: zone: unknown time zone; did you mean "Europe/Berlin"?"#]
        ),
        (
            type("text: t", top: "zone: CET+1h"),
            ["c.yaml:2: zone: unknown time zone; expected a name like Europe/Berlin"]
        ),
        (type("text: t", top: "members: {style: icons}"), ["c.yaml:2: members.style: expected samples, count or icon"]),
        (
            type("text: t", top: "categories: {a: b, c: {title: \"{{at}}\", icon: \"{{at}}\"}}"),
            [
                "c.yaml:2: categories.a: expected a mapping, found a plain value",
                "c.yaml:2: categories.c.title: expected a text without {{placeholders}}",
                "c.yaml:2: categories.c.icon: expected no {{placeholder}} here: only a member's own text is filled in",
            ]
        ),
    ]

    static let translations: [(yaml: String, issues: [String])] = {
        let lines = "text: \"{{room.id}}\"\nfields: {a: t, n: 1, v: {value: at}, o: {l: t}}\npush: {title: t, body: b}"
        func translated(_ text: String) -> String {
            type(lines, top: "translations: {\(text)}")
        }
        let place = "c.yaml:2: translations.de"
        return [
            (
                translated("deutsch: {}, en: {}, de: {}, DE: {}"),
                [
                    "c.yaml:2: translations.deutsch: expected a language tag (BCP 47) like de or pt-BR",
                    "c.yaml:2: translations.en: there are texts in this language already; expected another one",
                    "c.yaml:2: translations.DE: there are texts in this language already; expected another one",
                ]
            ),
            (
                translated("de: {titel: t, types: {Y: {text: t}, X: {txt: t, category: c}}}"),
                [
                    #"\#(place).titel: unknown key; did you mean "title"?"#,
                    #"\#(place).types.Y: unknown key; did you mean "X"?"#,
                    #"\#(place).types.X.txt: unknown key; did you mean "text"?"#,
                    "\(place).types.X.category: unknown key; expected text, groupText, fields, parts, words, batch, preferences, question, activity or push",
                ]
            ),
            (
                translated("de: {types: {X: {text: \"{{romo.id}}\", groupText: t, batch: {nouns: n}}}}"),
                [
                    #"\#(place).types.X.text: the data of event "happened" has no "romo.id"; did you mean "room.id"?"#,
                    "\(place).types.X.groupText: the catalog's own words have no such text; expected no such key",
                    "\(place).types.X.batch: the catalog's own words have no such text; expected no such key",
                ]
            ),
            (
                translated("de: {types: {X: {fields: {b: t, n: t, v: t, o: {m: t}}, push: {data: t, titel: t}}}}"),
                [
                    #"\#(place).types.X.fields.b: unknown key; did you mean "a"?"#,
                    "\(place).types.X.fields.n: there is no text here to translate; expected no such key",
                    "\(place).types.X.fields.v: there is no text here to translate; expected no such key",
                    #"\#(place).types.X.fields.o.m: unknown key; did you mean "l"?"#,
                    "\(place).types.X.push.data: unknown key; expected title, body or summary",
                    #"\#(place).types.X.push.titel: unknown key; did you mean "title"?"#,
                ]
            ),
            (
                translated("de: {categories: {social: {title: t}}, push: {when: never, digest: {title: t}}}"),
                [
                    "\(place).categories.social: unknown key",
                    "\(place).push.when: unknown key; expected digest",
                    #"\#(place).push.digest: "body" is missing; expected the text of a push for several"#,
                ]
            ),
            (
                translated("de: {title: \"{{at}}\", types: {X: {text: [], push: {title: {a: b}}}}}"),
                [
                    "\(place).title: expected a text without {{placeholders}}",
                    "\(place).types.X.text: expected at least one text",
                    "\(place).types.X.push.title: expected a text, found a mapping",
                ]
            ),
            (
                type(
                    "text: t\ngroup: g\ngroupText: {one: a, other: b}",
                    top: "translations: {ja: {types: {X: {groupText: {one: a, other: b}}}}}"),
                [
                    #"c.yaml:2: translations.ja.types.X.groupText.one: "ja" has no plural form of this name; expected other"#
                ]
            ),
        ]
    }()

    static let samples: [(yaml: String, issues: [String])] = {
        func sampled(_ sample: String) -> String {
            "catalog: c\nevents:\n  e:\n    routes: [{to: all, type: X}, {to: most, type: X}]\n    sample: {\(sample)}\n"
                + "types: {X: {text: \"{{actor}} {{room.name}}\"}}"
        }
        return [
            (
                sampled("actor: {id: a}, data: {romo: {name: n}}"),
                [#"c.yaml:5: events.e.sample: at "/data/room/name": expected a value, which X shows"#]
            ),
            (
                sampled("actor: a, data: {room: {name: \"{{a}}\"}}, ovn: {}, own: {some: {a: 1}}"),
                [
                    "c.yaml:5: events.e.sample.actor: expected a mapping, found a plain value",
                    "c.yaml:5: events.e.sample.data: expected no {{placeholder}} here: only a member's own text is filled in",
                    #"c.yaml:5: events.e.sample.ovn: unknown key; did you mean "own"?"#,
                    #"c.yaml:5: events.e.sample.own.some: unknown key; expected all or most"#,
                    #"c.yaml:5: events.e.sample: at "/actor": expected a value, which X shows"#,
                ]
            ),
        ]
    }()

    @Test(arguments: types + translations + samples)
    func `a mistake is told with its line, its key and what was expected`(_ yaml: String, _ issues: [String]) throws {
        let error = try #require(throws: CatalogError.self) { try Catalog(yaml: yaml, file: "c.yaml") }
        #expect(Set(error.description.split(separator: "\n").map(String.init)) == Set(issues))
        #expect(error.issues.count == issues.count)
    }

    @Test func `a sample has all that its types show, each recipient's own data included`() throws {
        let yaml = """
            catalog: c
            events:
              e:
                routes: [{to: matched, type: X}]
                sample: {actor: {id: a, firstName: Ada}, data: {n: 1}, own: {matched: {query: {title: Cats}}}}
            types: {X: {text: "{{actor}} {{n}} {{query.title}}"}}
            """
        let rule = try #require(try Catalog(yaml: yaml, file: "c.yaml").eventRules.first)
        let sample = try #require(rule.sample)
        let type = try #require(rule.routes.first?.type)
        let content = type.content(
            for: sample.event("e", to: "matched"), at: Timestamp(milliseconds: 0), growing: nil)
        #expect(content.displayText == "Ada 1 Cats")
    }
}
