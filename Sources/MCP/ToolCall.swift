/// A checked call of a tool.
package enum ToolCall: Sendable, Equatable {
    /// Which answers to wait for.
    package struct Wait: Sendable, Equatable {
        /// In seconds.
        package let seconds: Int64
        /// `all` or `first`.
        package let until: String

        package init(seconds: Int64, until: String) { (self.seconds, self.until) = (seconds, until) }
    }

    package struct Question: Sendable, Equatable {
        /// The words on the buttons; an answer has them, too.
        package let answers: [String]
        /// The time to answer, in seconds; nil for any time.
        package let within: Int64?
        package let fallback: String?

        package init(answers: [String], within: Int64?, fallback: String?) {
            (self.answers, self.within, self.fallback) = (answers, within, fallback)
        }
    }

    case notify(to: [String], message: String, key: String?)
    case ask(to: [String], message: String, key: String?, Question, Wait)
    case wait(event: String, Wait)
    case explain(event: String)
    case explainPerson(String)

    /// Far more than a phone shows, and no document.
    static let maximumMessageBytes = 4_096
    static let maximumAnswers = 4
    static let maximumAnswerBytes = 64
    /// As many as an agent should name one by one.
    static let maximumPeople = 100
    /// The server's longest wait; clients of the protocol give up after a minute.
    static let longestWait: Int64 = 55
    static let usualWait: Int64 = 50
    /// The server's longest time to answer: thirty days.
    static let longestTime: Int64 = 30 * 86_400

    init(_ tool: Tool, arguments: ToolArguments) throws(ToolProblem) {
        switch tool {
        case .notify:
            try arguments.refuseUnknown("to", "message", "key")
            self = .notify(
                to: try arguments.texts("to", atMost: Self.maximumPeople),
                message: try arguments.neededText("message", atMost: Self.maximumMessageBytes),
                key: try arguments.text("key"))
        case .ask:
            try arguments.refuseUnknown("to", "message", "answers", "default", "within", "wait", "until", "key")
            self = .ask(
                to: try arguments.texts("to", atMost: Self.maximumPeople),
                message: try arguments.neededText("message", atMost: Self.maximumMessageBytes),
                key: try arguments.text("key"),
                try Self.question(arguments), try Self.wait(arguments))
        case .wait:
            try arguments.refuseUnknown("event", "wait", "until")
            self = .wait(event: try arguments.neededText("event"), try Self.wait(arguments))
        case .explain:
            try arguments.refuseUnknown("event", "person")
            switch (try arguments.text("event"), try arguments.text("person")) {
            case (let event?, nil): self = .explain(event: event)
            case (nil, let person?): self = .explainPerson(person)
            case (nil, nil), (.some, .some): throw ToolProblem(message: "expected either event or person")
            }
        }
    }

    private static func question(_ arguments: ToolArguments) throws(ToolProblem) -> Question {
        let answers = try arguments.texts("answers", atMost: maximumAnswers)
        guard answers.allSatisfy({ $0.utf8.count <= maximumAnswerBytes }), Set(answers).count == answers.count else {
            throw ToolProblem(message: "answers: expected different texts of at most \(maximumAnswerBytes) bytes")
        }
        let fallback = try arguments.text("default")
        let within = try arguments.number("within", in: 1...longestTime)
        if let fallback {
            guard answers.contains(fallback) else {
                throw ToolProblem(message: "default: expected one of the answers")
            }
            guard within != nil else {
                throw ToolProblem(message: "within is missing: expected the seconds after which the default counts")
            }
        }
        return Question(answers: answers, within: within, fallback: fallback)
    }

    private static func wait(_ arguments: ToolArguments) throws(ToolProblem) -> Wait {
        let until = try arguments.text("until") ?? "all"
        guard ["all", "first"].contains(until) else { throw ToolProblem(message: "until: expected all or first") }
        return Wait(seconds: try arguments.number("wait", in: 0...longestWait) ?? usualWait, until: until)
    }
}
