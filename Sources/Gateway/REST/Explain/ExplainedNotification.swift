import Inbox
import JSON
import Push
import Store

/// A notification's trail for its own reader: without the publisher and the key.
struct ExplainedNotification {
    let id: NotificationID
    let trail: NotificationTrail
    let choices: TrailChoices

    /// Writes the whole answer.
    func write(to json: inout JSONWriter) {
        let decisions = trail.entries.flatMap(\.decisions)
        json.object { json in
            json.member("success", true)
            json.key("data")
            json.object { json in
                json.member("id", id.text)
                if let type = decisions.compactMap(\.type).first { json.member("type", type) }
                if let state = decisions.compactMap(\.state).first { json.member("state", state.rawValue) }
                json.key("events")
                json.array { json in
                    for entry in trail.entries {
                        for decision in entry.decisions { Self.write(decision, of: entry.event, to: &json) }
                    }
                }
                // All of its events lead to the same steps.
                if let first = decisions.first { write(first, to: &json) }
                json.key("choices")
                choices.write(to: &json)
                if !trail.isWhole { json.member("partial", true) }
            }
        }
    }

    private static func write(_ decision: TrailedRecipient, of event: TrailedEvent, to json: inout JSONWriter) {
        json.object { json in
            json.member("type", event.type)
            json.member("at", event.acceptedAt.iso8601)
            decision.decision.writeMembers(to: &json)
            json.member("live", decision.wasLive)
            json.member("text", ExplainWords.text(of: decision.decision))
        }
    }

    private func write(_ recipient: TrailedRecipient, to json: inout JSONWriter) {
        json.key("steps")
        json.array { json in
            for step in recipient.steps {
                json.object { json in
                    step.writeMembers(in: id, to: &json)
                    json.member("text", ExplainWords.text(of: step.step, on: step.device))
                }
            }
        }
        json.key("waiting")
        json.array { json in
            for push in recipient.waiting { json.object { push.writeMembers(to: &$0) } }
        }
    }
}
