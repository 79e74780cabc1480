import Inbox
import JSON
import Push
import SQLiteStore
import Store
import Testing

/// Questions whose time ends by itself.
@Suite(.everyEngine) struct QuestionEndTests {
    private func withQuestions(
        pages: Int = 640, _ body: @escaping @Sendable (StoreFixture) async throws -> Void
    ) async throws {
        let configure: StoreFixture.Configuration = { options in
            options.webhooks = .twoEndpoints
            options.recipientsPerPage = pages
        }
        try await withStore(yaml: StoreFixture.yaml, configure, body)
    }

    @Test func `at its time a question gets its default, and sessions, the trail and webhooks hear of it`() async throws
    {
        try await withQuestions { fixture in
            let event = try await fixture.ask(.deployment(answerBy: .at(60), fallback: "reject"), to: .ada, .bob)
            let ids = (try await fixture.ids(of: .ada)[0], try await fixture.ids(of: .bob)[0])
            _ = try await fixture.store.answer("approve", to: ids.1, of: .bob)
            #expect(try await fixture.store.settleQuestions(at: .at(59)) == SettledQuestions(nextDue: .at(60)))
            #expect(try await fixture.asked(of: .ada)?.answer == nil)
            #expect(try await fixture.store.settleQuestions(at: .at(61)) == SettledQuestions(count: 1))
            let late = Answer(action: "reject", at: .at(61), way: .expiry)
            #expect(try await fixture.asked(of: .ada)?.answer == late)
            #expect(try await fixture.store.state(of: .ada).unread == 1)
            #expect(try await fixture.asked(of: .bob)?.answer?.action == "approve")
            let updates = fixture.told(to: .ada).compactMap { change -> AskedQuestion? in
                if case .update(let row) = change.kind { AskedQuestion(of: row.content) } else { nil }
            }
            #expect(updates.map(\.answer) == [late])
            #expect(try await fixture.steps(event).filter { $0 == .answered(TrailAnswer(late)) }.count == 1)
            let told = try await fixture.store.leaseWebhooks(at: .at(99)).webhooks.map(\.told)
            let webhook = """
                {"type":"notification.answered","data":{"user":"ada","notification":"\(ids.0.text)",\
                "event":"\(event)","action":"reject","way":"expiry","answeredAt":"\(Timestamp.at(61).iso8601)"}}
                """
            #expect(told.filter { $0.contains("\"ada\"") } == [webhook])
        }
    }

    @Test func `a question ends once, by itself or because somebody asked`() async throws {
        try await withQuestions { fixture in
            let question = Question.deployment(answerBy: .at(60))
            let event = try await fixture.ask(question, to: .ada, .bob)
            let bob = try await fixture.ids(of: .bob)[0]
            try await fixture.store.apply(.remove(.ids([bob])), for: .bob)
            let people = try #require(try await fixture.store.answers(to: event)).unanswered
            #expect(people.count == 2)
            try await fixture.store.settle(people, of: question, at: .at(60))
            #expect(try await fixture.store.settleQuestions(at: .at(61)) == SettledQuestions())
            try await fixture.store.settle(people, of: question, at: .at(62))
            let late = EventAnswers.State.answered(
                TrailAnswer(Answer(action: nil, at: .at(60), way: .expiry)), at: .at(60))
            #expect(try await fixture.store.answers(to: event)?.people.map(\.state) == [late, late])
            for user in [UserID.ada, .bob] {
                let answers = try await fixture.steps(event, of: user).filter {
                    if case .answered = $0 { true } else { false }
                }
                #expect(answers.count == 1)
            }
            let told = try await fixture.store.leaseWebhooks(at: .at(99)).webhooks.map(\.told)
            #expect(told.count == 2 && told.allSatisfy { $0.contains("\"event\":\"\(event)\"") })
        }
    }

    @Test func `many questions end page by page, and later ones wait`() async throws {
        try await withQuestions(pages: 3) { fixture in
            let people = (0..<8).map { UserID.user("person \($0)") }
            for person in people {
                _ = try await fixture.ask(.deployment(answerBy: .at(60), fallback: "approve"), to: person)
            }
            _ = try await fixture.ask(.deployment(answerBy: .at(90)), to: .ada)
            let settled = try await fixture.store.settleQuestions(at: .at(60))
            #expect(settled == SettledQuestions(count: 8, nextDue: .at(90)))
            for person in people {
                #expect(try await fixture.asked(of: person)?.answer?.action == "approve")
            }
            #expect(try await fixture.asked(of: .ada)?.answer == nil)
        }
    }

    @Test func `an event that was taken back, and a person who was erased, get no default`() async throws {
        try await withQuestions { fixture in
            let event = try await fixture.ask(.deployment(answerBy: .at(60)), to: .ada, key: "k")
            _ = try await fixture.store.retract("k", try StoreFixture.catalogs(), at: .at(1))
            _ = try await fixture.ask(.deployment(answerBy: .at(70)), to: .bob)
            try await fixture.store.erase(.bob)
            #expect(try await fixture.store.settleQuestions(at: .at(80)) == SettledQuestions(count: 1))
            #expect(try await fixture.store.answers(to: event)?.people.map(\.state) == [.gone])
            #expect(try await fixture.store.leaseWebhooks(at: .at(99)).webhooks.isEmpty)
        }
    }

    @Test func `a question that is only pushed ends, too`() async throws {
        try await withQuestions { fixture in
            let edits = PreferenceEdits(types: [ExactText("SAID"): ChannelEdit(ChannelChoice(inApp: false, push: true))]
            )
            try await fixture.store.change(.preferences(edits), for: .ada, at: .at(0))
            try await fixture.store.register(.phone(), for: .ada)
            let event = try await fixture.ask(.deployment(answerBy: .at(60), fallback: "reject"), to: .ada)
            #expect(try await fixture.store.settleQuestions(at: .at(60)).count == 1)
            let late = TrailAnswer(Answer(action: "reject", at: .at(60), way: .expiry))
            #expect(try await fixture.store.answers(to: event)?.people.map(\.state) == [.answered(late, at: .at(60))])
        }
    }

    @Test func `people whom a large event reaches after its question's time get the default, too`() async throws {
        try await withQuestions(pages: 2) { fixture in
            let people = (0..<5).map { UserID.user("person \($0)") }
            let event = Event(
                type: "said", actor: ["id": "renee", "username": "renee"], to: [.init(name: "people", users: people)],
                data: ["text": "Deploy?"], question: .deployment(answerBy: .at(60), fallback: "reject"))
            let id = try #require(try await fixture.publish(fixture.entry(event), at: .at(0)).first).event
            var pages = 1
            while try await fixture.store.deliverPage(of: id, by: fixture.catalog, at: .at(70))?.state == .working {
                pages += 1
            }
            #expect(pages > 1)
            #expect(try await fixture.store.settleQuestions(at: .at(70)) == SettledQuestions(count: 5))
            for person in people { #expect(try await fixture.asked(of: person)?.answer?.action == "reject") }
        }
    }

    @Test func `a commit tells when the time of its questions ends`() async throws {
        try await withQuestions { fixture in
            _ = try await fixture.ask(to: .ada)
            _ = try await fixture.ask(.deployment(answerBy: .at(60)), to: .ada)
            #expect(fixture.commits.compactMap(\.nextQuestionDue) == [.at(60)])
        }
    }
}
