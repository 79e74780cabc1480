import JSON
import MCP

/// Does what an agent's tools say, by calls to a running server.
struct MCPTools {
    let client: AdminClient
    /// Of each event.
    let actor: JSONObject
    let noticeEvent: String
    let questionEvent: String
    /// The recipient list of both events.
    let list: String

    func run(_ call: ToolCall) async -> ToolResult {
        do throws(AdminFailure) {
            switch call {
            case .notify(let people, let message, let key):
                return ToolResult(try await publish(noticeEvent, to: people, message, key: key))
            case .ask(let people, let message, let key, let question, let wait):
                let published = try await publish(questionEvent, to: people, message, key: key, asking: question)
                guard let event = published.at(["event"])?.string else {
                    throw AdminFailure(message: "the server did not name the event")
                }
                do throws(AdminFailure) {
                    return ToolResult(try await answers(to: event, wait))
                } catch {
                    throw AdminFailure(message: "\(error.message); the question was asked: wait for event \(event)")
                }
            case .wait(let event, let wait):
                return ToolResult(try await answers(to: event, wait))
            case .explain(let event):
                return explained(try await client.ask("GET", ["v1", "trail", event])) { $0.lines(ofEvent: $1) }
            case .explainPerson(let person):
                let trail = try await client.ask(
                    "GET", ["v1", "users", person, "trail"], query: [("limit", "10")])
                return explained(trail) { $0.lines(ofPerson: $1) }
            }
        } catch {
            return ToolResult(failure: error.message)
        }
    }

    private func publish(
        _ type: String, to people: [String], _ message: String, key: String?, asking question: ToolCall.Question? = nil
    ) async throws(AdminFailure) -> JSONValue {
        var event: JSONObject = [
            "type": .string(type), "actor": .object(actor),
            "to": .object([list: .array(people.map(JSONValue.string))]), "data": ["message": .string(message)],
        ]
        event["key"] = key.map(JSONValue.string)
        event["question"] = question.map(Self.json)
        return try await client.ask("POST", ["v1", "events"], body: JSONValue.object(event).encoded)
    }

    private static func json(_ question: ToolCall.Question) -> JSONValue {
        var json: JSONObject = [
            "actions": .array(question.answers.map { ["id": .string($0), "label": .string($0)] })
        ]
        // Not a time: the same call under the same key has to be the same event.
        json["answerBy"] = question.within.map { .string("\($0)s") }
        json["default"] = question.fallback.map(JSONValue.string)
        return .object(json)
    }

    private func answers(to event: String, _ wait: ToolCall.Wait) async throws(AdminFailure) -> JSONValue {
        try await client.ask(
            "GET", ["v1", "events", event, "answers"],
            query: [("wait", String(wait.seconds)), ("until", wait.until), ("limit", "1000")])
    }

    private func explained(_ trail: JSONValue, _ lines: (Explanation, JSONValue) -> [String]) -> ToolResult {
        ToolResult(text: lines(Explanation(clock: LocalClock()), trail).joined(separator: "\n"))
    }
}
