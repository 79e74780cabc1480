import Inbox
import JSON
import Testing

struct QuestionTests {
    private let now: Timestamp

    init() throws { now = try Timestamp.at("2025-07-04T15:02:45Z") }

    private func event(_ question: String) throws -> Event {
        try Event(json: JSONValue(parsing: #"{"type": "x", "to": {}, "question": \#(question)}"#), at: now)
    }

    @Test func `a question is read as a backend publishes it, and as it was stored`() throws {
        let event = try event(
            """
            {"actions": [{"id": "approve", "label": "Approve"}, {"id": "reject", "label": "Reject"}],
             "answerBy": "2025-07-04T16:00:00Z", "default": "reject"}
            """)
        let question = Question(
            actions: [.init(id: "approve", label: "Approve"), .init(id: "reject", label: "Reject")],
            answerBy: try Timestamp.at("2025-07-04T16:00:00Z"), fallback: "reject")
        #expect(event.question == question)
        #expect(Question(stored: question.json) == question)
        let stored = try JSONValue.object(event.jsonWithoutRecipients).encoded.withUnsafeBytes {
            try Event(stored: JSONNode(parsing: $0))
        }
        #expect(stored == event)
    }

    @Test(arguments: [("90s", 90), ("10m", 600), ("2h", 7_200), ("30d", 2_592_000)] as [(String, Int64)])
    func `a time to answer may be a duration from now on`(_ text: String, _ seconds: Int64) throws {
        let event = try event(#"{"actions": [{"id": "a", "label": "A"}], "answerBy": "\#(text)"}"#)
        #expect(event.question?.answerBy == now + .seconds(seconds))
    }

    static let problems: [(json: String, code: String, pointer: String)] = [
        ("7", "wrong_type", "/question"),
        ("{}", "missing_field", "/question/actions"),
        (#"{"actions": []}"#, "invalid_value", "/question/actions"),
        (#"{"actions": {}}"#, "wrong_type", "/question/actions"),
        (#"{"actions": ["approve"]}"#, "wrong_type", "/question/actions/0"),
        (#"{"actions": [{"id": "a", "label": ""}]}"#, "invalid_value", "/question/actions/0/label"),
        (#"{"actions": [{"label": "A"}]}"#, "missing_field", "/question/actions/0/id"),
        (#"{"actions": [{"id": "", "label": "A"}]}"#, "invalid_value", "/question/actions/0/id"),
        (#"{"actions": [{"id": "a", "label": "A\u0000"}]}"#, "invalid_value", "/question/actions/0/label"),
        (#"{"actions": [{"id": "a", "label": "A", "color": "red"}]}"#, "unknown_field", "/question/actions/0/color"),
        (
            #"{"actions": [{"id": "a", "label": "A"}, {"id": "a", "label": "B"}]}"#, "invalid_value",
            "/question/actions/1/id"
        ),
        (
            "{\"actions\": [" + (0..<5).map { #"{"id": "\#($0)", "label": "A"}"# }.joined(separator: ", ") + "]}",
            "invalid_value", "/question/actions"
        ),
        (
            #"{"actions": [{"id": "a", "label": "A"}], "answerBy": "2025-07-04T15:02:45Z"}"#, "invalid_value",
            "/question/answerBy"
        ),
        (#"{"actions": [{"id": "a", "label": "A"}], "answerBy": "soon"}"#, "invalid_value", "/question/answerBy"),
        (#"{"actions": [{"id": "a", "label": "A"}], "answerBy": "0s"}"#, "invalid_value", "/question/answerBy"),
        (#"{"actions": [{"id": "a", "label": "A"}], "answerBy": "31d"}"#, "invalid_value", "/question/answerBy"),
        (
            #"{"actions": [{"id": "a", "label": "A"}], "answerBy": "2025-09-04T15:02:45Z"}"#, "invalid_value",
            "/question/answerBy"
        ),
        (
            #"{"actions": [{"id": "a", "label": "A"}], "answerBy": "2025-07-04T16:00:00Z", "default": "b"}"#,
            "invalid_value", "/question/default"
        ),
        (
            #"{"actions": [{"id": "a", "label": "A"}], "default": "a"}"#, "missing_field", "/question/answerBy"
        ),
    ]

    @Test(arguments: problems) func `a wrong question is refused, with its place`(
        _ json: String, _ code: String, _ pointer: String
    ) throws {
        let problem = #expect(throws: EventProblem.self) { try event(json) }
        #expect(problem?.code == code)
        #expect(problem?.pointer == pointer)
    }

    @Test(arguments: [
        Answer(action: "approve", at: Timestamp(milliseconds: 7), way: .push),
        Answer(action: "with blanks", at: Timestamp(milliseconds: 7), way: .live),
        Answer(action: nil, at: Timestamp(milliseconds: 7), way: .expiry),
    ]) func `an answer is read as it was written`(_ answer: Answer) {
        #expect(Answer(stored: answer.json) == answer)
        let trailed = TrailAnswer(answer)
        #expect(TrailAnswer(trailed.description) == trailed)
    }

    @Test func `the time to answer ends at its moment`() {
        let question = Question(
            actions: [.init(id: "a", label: "A")], answerBy: Timestamp(milliseconds: 10), fallback: "a")
        #expect(!question.isOver(at: Timestamp(milliseconds: 9)))
        #expect(question.isOver(at: Timestamp(milliseconds: 10)))
        #expect(!Question(actions: question.actions).isOver(at: Timestamp(milliseconds: .max)))
    }
}
