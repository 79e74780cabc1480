import Inbox
import JSON
import Store

extension EventAnswers {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("event", event.id)
            json.member("type", event.type)
            if let key = event.key { json.member("key", key) }
            json.member("acceptedAt", event.acceptedAt.iso8601)
            if let retractedAt = event.retractedAt { json.member("retractedAt", retractedAt.iso8601) }
            if let question = event.question { json.member("question", .object(question.json)) }
            json.member("unanswered", unanswered.count)
            json.key("people")
            json.array { json in
                for person in people { person.write(to: &json) }
            }
            if let next { json.member("next", next) }
        }
    }
}

extension EventAnswers.Person {
    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            if let user { json.member("user", user.name) }
            if let notification { json.member("notification", notification.text) }
            switch state {
            case .pending: json.member("state", "pending")
            case .gone: json.member("state", "gone")
            case .notAsked: json.member("state", "notAsked")
            case .answered(let answer, let at):
                json.member("state", answer.way == .expiry ? "expired" : "answered")
                json.member("action", answer.action.map(JSONValue.string) ?? .null)
                json.member("at", at.iso8601)
                json.member("by", answer.way.rawValue)
            }
        }
    }
}
