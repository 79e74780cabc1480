import JSON

/// A notification's question with its answer, as the content's body has them.
package struct AskedQuestion: Sendable, Hashable {
    package let question: Question
    package let answer: Answer?
    /// All members of the body.
    private let body: JSONObject

    /// Nil for a content that asks nothing.
    package init?(of content: Content) {
        // A body is parsed only for a command about a question, which nearly no notification has.
        guard let body = try? JSONValue(parsing: [UInt8(ascii: "{")] + content.body + [UInt8(ascii: "}")]).object,
            let member = body["\(Question.member)"]?.object, let question = Question(stored: member)
        else { return nil }
        (self.question, self.body) = (question, body)
        answer = member["answer"]?.object.flatMap(Answer.init(stored:))
    }

    /// The content's body with this answer.
    package func body(with answer: Answer) -> [UInt8] {
        var (body, member) = (body, question.json)
        member["answer"] = .object(answer.json)
        body["\(Question.member)"] = .object(member)
        return Array(JSONValue.object(body).encoded.dropFirst().dropLast())
    }
}
