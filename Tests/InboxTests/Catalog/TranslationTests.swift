import Inbox
import JSON
import Testing

/// One catalog in several languages.
struct TranslationTests {
    private static let yaml = """
        catalog: golf
        title: Golf
        zone: Europe/Berlin
        categories: {requests: {title: Requests, icon: person}, social: {title: Social}}
        push: {digest: {title: Golf, body: {one: "a new notification", other: "{{count}} new notifications"}}}
        events:
          requested: {data: [round.id, round.name, round.startsAt, round.priority, reason], routes: [{to: host, type: REQUEST}]}
          added: {routes: [{to: all, type: ADDED}]}
          plain: {routes: [{to: all, type: PLAIN}]}
        types:
          REQUEST:
            category: requests
            words: {priority: {path: round.priority, of: {high: high, low: low}, other: usual}}
            times: {date: {path: round.startsAt, format: MMMd}}
            text: "{{actor}} wants to join {{round.name}} on {{date}} ({{priority}})"
            fields:
              title: "{{actor}} asks"
              reason: ["{{reason}}", "no reason"]
              cta: {label: View, action: openRequests, round: {value: round.id}}
            group: "requests:{{round.id}}"
            groupText: {one: "a request", other: "{{count}} requests"}
            preferences: {title: "Round requests"}
            push:
              title: Golf
              body: "{{actor}} asks"
              summary: {title: Golf, body: {one: "one asks", other: "{{count}} people ask"}}
          ADDED:
            text: "{{actor}} added {{elements}}"
            batch:
              {window: 5m, by: [], count: elements, kind: kind, nouns: {photo: {one: a photo, other: "{{count}} photos"}, note: {one: a note, other: "{{count}} notes"}}}
          PLAIN: {text: "Closed", push: {title: Golf, body: Closed}}
        translations:
          de:
            title: Golfplatz
            categories: {requests: {title: Anfragen}}
            push: {digest: {title: Golfplatz, body: {one: "eine neue Mitteilung", other: "{{count}} neue Mitteilungen"}}}
            types:
              REQUEST:
                words: {priority: {of: {high: hoch}, other: normal}}
                text: "{{actor}} möchte am {{date}} bei {{round.name}} mitspielen ({{priority}})"
                fields: {title: "{{actor}} fragt an", reason: ["{{reason}}", "ohne Grund"], cta: {label: Ansehen}}
                groupText: {one: "eine Anfrage", other: "{{count}} Anfragen"}
                preferences: {title: "Anfragen zu Runden"}
                push: {body: "{{actor}} fragt an", summary: {body: {one: "eine Anfrage", other: "{{count}} fragen an"}}}
              ADDED:
                text: "{{actor}} hat {{elements}} hinzugefügt"
                batch: {nouns: {photo: {one: ein Foto, other: "{{count}} Fotos"}}, separators: [", ", " und "]}
          de-CH:
            types: {REQUEST: {fields: {cta: {label: Luege}}}}
          ru:
            types:
              REQUEST: {groupText: {one: "{{count}} запрос", few: "{{count}} запроса", other: "{{count}} запросов"}}
              ADDED: {batch: {nouns: {note: {one: заметка, few: "{{count}} заметки", other: "{{count}} заметок"}}}}
          en-GB: {}
        """

    private let catalog: Catalog

    init() throws { catalog = try Catalog(yaml: Self.yaml, file: "golf.yaml") }

    private func content(_ type: String, _ data: JSONObject, _ reader: Reader) throws -> Content {
        let type = try #require(catalog.notificationType(named: type))
        let name = type.name == "REQUEST" ? "requested" : type.name.lowercased()
        let event = Event(
            type: name, actor: ["id": "u1", "name": "Ada"],
            to: [.init(name: name == "requested" ? "host" : "all", users: Rooms.users("h"))], data: data)
        let routed = try catalog.route(event)
        #expect(routed.routes.first?.type === type)
        return type.content(for: event, reader: reader, at: Timestamp(milliseconds: 0), growing: nil)
    }

    private static let round: JSONObject = [
        "round": ["id": "r7", "name": "Sunday", "startsAt": "2025-07-04T22:30:00Z", "priority": "high"]
    ]

    // MARK: Choosing

    @Test(
        arguments: [
            (nil, "Ada wants to join Sunday on Jul 5 (high)", "View"),
            ("en", "Ada wants to join Sunday on Jul 5 (high)", "View"),
            ("fr", "Ada wants to join Sunday on Jul 5 (high)", "View"),
            ("de", "Ada möchte am 5. Juli bei Sunday mitspielen (hoch)", "Ansehen"),
            ("de-AT", "Ada möchte am 5. Juli bei Sunday mitspielen (hoch)", "Ansehen"),
            ("DE_at", "Ada möchte am 5. Juli bei Sunday mitspielen (hoch)", "Ansehen"),
            ("de-CH", "Ada möchte am 5. Juli bei Sunday mitspielen (hoch)", "Luege"),
            ("de-ch-1996", "Ada möchte am 5. Juli bei Sunday mitspielen (hoch)", "Luege"),
            ("en-GB", "Ada wants to join Sunday on 5 Jul (high)", "View"),
            ("", "Ada wants to join Sunday on Jul 5 (high)", "View"),
            ("de\u{0}x", "Ada wants to join Sunday on Jul 5 (high)", "View"),
        ])
    func `a reader gets the nearest translation, and the catalog's own words without one`(
        _ locale: String?, _ text: String, _ label: String
    ) throws {
        let content = try content("REQUEST", Self.round, Reader(locale: locale))
        #expect(content.displayText == text)
        #expect(
            try content.members["cta"] == ["label": .string(label), "action": "openRequests", "round": "r7"])
    }

    @Test func `all that is text is translated, and what is not stays`() throws {
        let content = try content("REQUEST", Self.round, Reader(locale: "de", zone: "America/New_York"))
        #expect(content.displayText == "Ada möchte am 4. Juli bei Sunday mitspielen (hoch)")
        let members = try content.members
        #expect((members["title"], members["reason"]) == ("Ada fragt an", "ohne Grund"))
        #expect(content.group == "requests:r7")
        #expect(
            (content.groupText?.text(count: 1), content.groupText?.text(count: 4)) == ("eine Anfrage", "4 Anfragen"))
        let push = try #require(content.push)
        #expect((push.title, push.body) == ("Golf", "Ada fragt an"))
        #expect((push.summary?.title.text(count: 2), push.summary?.body.text(count: 2)) == ("Golf", "2 fragen an"))
        #expect(push.digest?.body.text(count: 1) == "eine neue Mitteilung")
        #expect(catalog.title(in: "de-AT") == "Golfplatz")
        #expect((catalog.title(in: "ru"), catalog.title()) == ("Golf", "Golf"))
        let category = try #require(catalog.category(named: "requests"))
        #expect((category.title(in: "de-CH"), category.title(in: "ru")) == ("Anfragen", "Requests"))
        let type = try #require(catalog.notificationType(named: "REQUEST"))
        #expect(
            (type.title(in: "de"), type.title(in: "ru"), type.title()) == (
                "Anfragen zu Runden", "Round requests", "Round requests"
            ))
    }

    @Test func `each text counts by the rules of its own language`() throws {
        let russian = try content("REQUEST", Self.round, Reader(locale: "ru"))
        #expect(
            [1, 2, 5, 21].map { russian.groupText?.text(count: $0) } == [
                "1 запрос", "2 запроса", "5 запросов", "21 запрос",
            ])
        // The nouns of the other kind are still English, and so is their number.
        let elements = Rooms.elements(["note", "note", "photo"])
        #expect(
            try content("ADDED", ["elements": elements], Reader(locale: "ru")).displayText
                == "Ada added 2 заметки and a photo")
        #expect(
            try content("ADDED", ["elements": elements], Reader(locale: "de")).displayText
                == "Ada hat 2 notes und ein Foto hinzugefügt")
    }

    @Test func `words without a translation are the catalog's`() throws {
        var data = Self.round
        data["round"] = ["id": "r7", "name": "Sunday", "startsAt": "2025-07-04T22:30:00Z", "priority": "low"]
        #expect(try content("REQUEST", data, Reader(locale: "de")).displayText.hasSuffix("(low)"))
        data["round"] = ["id": "r7", "name": "Sunday", "startsAt": "2025-07-04T22:30:00Z", "priority": "top"]
        #expect(try content("REQUEST", data, Reader(locale: "de")).displayText.hasSuffix("(normal)"))
    }

    // MARK: Sharing

    @Test func `readers of one wording share a content`() throws {
        let type = try #require(catalog.notificationType(named: "ADDED"))
        func variant(_ locale: String?) -> ContentVariant { type.variant(for: Reader(locale: locale), own: nil) }
        #expect(variant("de-AT") == variant("de"))
        #expect(variant("fr") == variant(nil))
        #expect(variant("de") != variant(nil))
    }

    @Test func `a push for several types is in the reader's language though the type's texts are not`() throws {
        let content = try content("PLAIN", [:], Reader(locale: "de"))
        #expect((content.displayText, content.push?.digest?.title.text(count: 2)) == ("Closed", "Golfplatz"))
    }

    @Test func `a type without any translation has one content`() throws {
        let yaml =
            "catalog: c\nevents: {e: {routes: [{to: all, type: X}]}}\ntypes: {X: {text: t}, Y: {text: u}}\n"
            + "translations: {de: {types: {Y: {text: v}}}}"
        let type = try #require(try Catalog(yaml: yaml, file: "c.yaml").notificationType(named: "X"))
        #expect(type.variant(for: Reader(locale: "de"), own: nil) == ContentVariant())
    }

    @Test func `an event must have what any of its translations shows`() throws {
        let yaml =
            "catalog: c\nevents: {e: {routes: [{to: all, type: X}]}}\ntypes: {X: {text: \"{{a}}\"}}\n"
            + "translations: {de: {types: {X: {text: \"{{b}}\"}}}}"
        let event = Event(type: "e", to: [.init(name: "all", users: Rooms.users("u"))], data: ["a": 1])
        let problem = try #require(throws: EventProblem.self) { try Catalog(yaml: yaml, file: "c.yaml").route(event) }
        #expect(problem.pointer == "/data/b")
    }

    @Test func `a catalog in another language is translated into English like any other`() throws {
        let yaml = """
            catalog: c
            locale: pt-BR
            events: {e: {routes: [{to: all, type: X}]}}
            types: {X: {text: oi}}
            translations: {pt: {types: {X: {text: olá}}}, en: {types: {X: {text: hi}}}}
            """
        let type = try #require(try Catalog(yaml: yaml, file: "c.yaml").notificationType(named: "X"))
        let event = Event(type: "e")
        let texts = ["pt-BR", "pt", "pt-PT", "en-GB", "fr"].map {
            type.content(for: event, reader: Reader(locale: $0), at: Timestamp(milliseconds: 0), growing: nil)
                .displayText
        }
        #expect(texts == ["oi", "olá", "olá", "hi", "oi"])
    }
}
