import JSON

/// Reads the question of an event: `{"actions": [{"id": "approve", "label"?: "Approve"}, …], "answerBy"?: time or
/// duration, "default"?: "approve"}`. Routing knows whether a label may be missing.
enum QuestionReader {
    /// - Parameter now: nil to skip the check of the time.
    static func question(in event: EventMembers, at now: Timestamp?) throws(EventProblem) -> Question? {
        guard let members = try event.nested("question", known: ["actions", "answerBy", "default"]) else { return nil }
        let actions = try actions(in: members)
        let fallback = try members.text("default", maximumBytes: Question.maximumIDBytes)
        let answerBy = try answerBy(in: members, at: now)
        if let fallback {
            guard actions.contains(where: { ExactText($0.id) == ExactText(fallback) }) else {
                let ids = Spelling.list(actions.map { "\"\($0.id)\"" })
                throw .invalidValue(members.place("default"), expected: "the id of one of the actions: \(ids)")
            }
            guard answerBy != nil else {
                throw .missingField(
                    members.place("answerBy"), expected: "the time from which the default counts")
            }
        }
        return Question(actions: actions, answerBy: answerBy, fallback: fallback)
    }

    private static func actions(in members: EventMembers) throws(EventProblem) -> [Question.Action] {
        let place = members.place("actions")
        let expected = "1 to \(Question.maximumActions) actions, each with an id"
        guard let array = try members.array("actions", of: "actions") else {
            throw .missingField(place, expected: expected)
        }
        var actions: [Question.Action] = []
        for (index, element) in (array.elements ?? []).enumerated() {
            guard index < Question.maximumActions else { throw .invalidValue(place, expected: expected) }
            let action = try members.inner(element, in: place, .element(index), known: ["id", "label"])
            guard let id = try action.text("id", maximumBytes: Question.maximumIDBytes) else {
                throw .missingField(action.place("id"), expected: "the name that an answer has, such as \"approve\"")
            }
            let label = try action.text("label", maximumBytes: Question.maximumLabelBytes)
            guard !actions.contains(where: { ExactText($0.id) == ExactText(id) }) else {
                throw .invalidValue(action.place("id"), expected: "an id that no other action has")
            }
            actions.append(Question.Action(id: id, label: label))
        }
        guard !actions.isEmpty else { throw .invalidValue(place, expected: expected) }
        return actions
    }

    /// A duration counts from now on: an event that is published again with its key has the same bytes, and so counts
    /// as the same.
    private static func answerBy(in members: EventMembers, at now: Timestamp?) throws(EventProblem) -> Timestamp? {
        guard let text = try members.string("answerBy") else { return nil }
        let place = members.place("answerBy")
        let span = Duration(text: text)
        guard let time = span.flatMap({ span in now.map { $0 + span } }) ?? Timestamp(iso8601: text) else {
            throw .invalidValue(
                place, expected: "a date and time like 2025-07-04T15:02:44.161Z, or a duration like 10m")
        }
        guard let now else { return time }
        guard time > now, time <= now + Event.maximumDelay else {
            let days = Event.maximumDelay.components.seconds / 86_400
            throw .invalidValue(place, expected: "a time in the future, within \(days) days")
        }
        return time
    }
}
