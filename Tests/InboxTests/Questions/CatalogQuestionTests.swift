import Inbox
import JSON
import Testing

/// Questions whose words, or all of them, stand in the catalog.
struct CatalogQuestionTests {
    private static let yaml = """
        catalog: golf
        events:
          requested: {routes: [{to: hosts, type: REQUEST}, {to: helpers, type: HELP}]}
          invited: {routes: [{to: guests, type: INVITATION}]}
        types:
          REQUEST:
            text: "May {{actor}} join?"
            question: {actions: {approve: "Approve", reject: "Reject", later: "Later", never: "Never", block: "Block"}}
            push: {title: "Golf", body: "May {{actor}} join?"}
          HELP: {text: "Help {{actor}}?", question: {actions: {approve: "Help", reject: "Do not"}}}
          INVITATION:
            text: "Will you come?"
            question: {actions: {come: "Come", decline: "Decline"}, asks: true, answerBy: 1d, default: decline}
        translations:
          de:
            types:
              REQUEST: {text: "Darf {{actor}} mitspielen?", question: {actions: {approve: "Ja", reject: "Nein"}}}
              INVITATION: {question: {actions: {come: "Kommen"}}}
        """
    private static let now = Timestamp(milliseconds: 1_000)

    private let catalog: Catalog

    init() throws { catalog = try Catalog(yaml: Self.yaml, file: "golf.yaml") }

    private func event(_ type: String, to list: String..., asking ids: String..., label: String? = nil) -> Event {
        let actions = ids.map { Question.Action(id: $0, label: label) }
        return Event(
            type: type, actor: ["id": "u1", "name": "Ada"],
            to: list.map { .init(name: $0, users: Rooms.users("h")) },
            question: actions.isEmpty ? nil : Question(actions: actions))
    }

    private func content(of event: Event, in locale: String? = nil, at now: Timestamp? = now) throws -> Content {
        let routed = try catalog.route(event, at: now)
        let type = try #require(routed.routes.first?.type)
        return type.content(for: routed.event, reader: Reader(locale: locale), at: Self.now, growing: nil)
    }

    private func words(_ content: Content) -> [String] {
        AskedQuestion(of: content)?.question.actions.map(\.words) ?? []
    }

    @Test func `actions that an event names alone have the type's words, in the reader's language`() throws {
        let event = event("requested", to: "hosts", asking: "reject", "approve", "later")
        #expect(try words(content(of: event)) == ["Reject", "Approve", "Later"])
        // The catalog's own word stands in for one that is not translated.
        let german = try content(of: event, in: "de-AT")
        #expect(words(german) == ["Nein", "Ja", "Later"])
        #expect(german.push?.answers.map(\.words) == ["Nein", "Ja", "Later"])
    }

    @Test func `an event's own words count before the catalog's, in every language`() throws {
        let event = event("requested", to: "hosts", asking: "approve", label: "Fine")
        #expect(try words(content(of: event)) == ["Fine"])
        #expect(try words(content(of: event, in: "de")) == ["Fine"])
    }

    @Test func `each type of an event has words of its own, and lacks none`() throws {
        let routed = try catalog.route(event("requested", to: "hosts", "helpers", asking: "approve"), at: Self.now)
        let contents = routed.routes.map { $0.type.content(for: routed.event, at: Self.now, growing: nil) }
        #expect(contents.map(words) == [["Approve"], ["Help"]])
        let problem = #expect(throws: EventProblem.self) {
            try catalog.route(event("requested", to: "hosts", "helpers", asking: "approve", "later"), at: Self.now)
        }
        #expect(problem?.code == "missing_field")
        #expect(problem?.pointer == "/question/actions/1/label")
    }

    @Test func `a type asks by itself, until a time after the event was accepted`() throws {
        let routed = try catalog.route(event("invited", to: "guests"), at: Self.now)
        let question = Question(
            actions: [.init(id: "come"), .init(id: "decline")], answerBy: Self.now + .seconds(86_400),
            fallback: "decline")
        #expect(routed.event.question == question)
        #expect(try words(content(of: event("invited", to: "guests"), in: "de")) == ["Kommen", "Decline"])
        // A type that only has words asks nothing by itself.
        #expect(try catalog.route(event("requested", to: "hosts"), at: Self.now).event.question == nil)
    }

    @Test func `an event's own question stands in the place of its type's`() throws {
        let routed = try catalog.route(event("invited", to: "guests", asking: "decline"), at: Self.now)
        #expect(routed.event.question == Question(actions: [.init(id: "decline")]))
    }

    @Test func `an event that was accepted earlier asks what it asked then, whatever the catalog says now`() throws {
        let silent = event("invited", to: "guests")
        #expect(try AskedQuestion(of: content(of: silent, at: nil)) == nil)
        let lost = event("invited", to: "guests", asking: "maybe")
        #expect(try words(content(of: lost, at: nil)) == ["maybe"])
    }

    @Test func `a question without words for its buttons is stored, and read, without them`() throws {
        let question = Question(actions: [.init(id: "come"), .init(id: "own", label: "Own")])
        #expect(Question(stored: question.json) == question)
    }

    static let mistakes: [(question: String, words: String)] = [
        ("{}", "\"actions\" is missing"),
        ("{actions: {}}", "at least one button"),
        ("{actions: {a: A}, color: red}", "unknown key"),
        ("{actions: {a: \"{{b}}\"}}", "without {{placeholders}}"),
        ("{actions: {a: \"\(String(repeating: "x", count: 201))\"}}", "at most 200 bytes"),
        ("{actions: {\(String(repeating: "x", count: 65)): A}}", "1 to 64 bytes"),
        ("{actions: {a: A}, answerBy: 1d}", "asks: true"),
        ("{actions: {a: A}, default: a}", "asks: true"),
        ("{actions: {a: A, b: B, c: C, d: D, e: E}, asks: true}", "at most 4 buttons"),
        ("{actions: {a: A}, asks: true, default: a}", "answerBy"),
        ("{actions: {a: A}, asks: true, answerBy: 1d, default: b}", "one of the actions: a"),
        ("{actions: {a: A}, asks: true, answerBy: 31d}", "at most 30d"),
        ("{actions: {a: A}, asks: maybe}", "true or false"),
    ]

    @Test(arguments: mistakes) func `a mistake in a catalog's question is told`(_ question: String, _ words: String) {
        let yaml = """
            catalog: c
            events: {e: {routes: [{to: a, type: T}]}}
            types: {T: {text: x, question: \(question)}}
            """
        let error = #expect(throws: CatalogError.self) { try Catalog(yaml: yaml, file: "c.yaml") }
        #expect(error?.issues.contains { $0.message.contains(words) } == true, "\(String(describing: error))")
    }

    @Test func `a type that asks does not batch, and all types of an event ask the same`() {
        let yaml = """
            catalog: c
            events: {e: {routes: [{to: a, type: ASKS}, {to: b, type: TELLS}]}}
            types:
              ASKS: {text: x, question: {actions: {a: A}, asks: true}}
              TELLS: {text: x, question: {actions: {a: A}}}
              GROWS:
                text: x
                question: {actions: {a: A}, asks: true}
                batch: {window: 5m, by: [actor.id], count: things, nouns: {one: one, other: many}}
            """
        let error = #expect(throws: CatalogError.self) { try Catalog(yaml: yaml, file: "c.yaml") }
        let messages = error?.issues.map(\.message) ?? []
        #expect(messages.contains { $0.contains("TELLS does not ask the same as ASKS") })
        #expect(messages.contains { $0.contains("never batched") })
    }

    @Test func `a catalog's page shows what a type asks, in every language`() {
        let page = CatalogPage(catalog).markdown
        #expect(page.contains("`come`: Come, `decline`: Decline; for 1 d, and then `decline` counts"))
        #expect(page.contains("if the event does, with these words: `approve`: Approve"))
        #expect(page.contains("| Kommen, Decline |"))
    }
}
