extension TypeReader {
    /// Reads `question`: `{actions: {approve: "Approve", …}, asks?: true, answerBy?: 1d, default?: approve}`.
    func question() -> QuestionRule? {
        let keys = ["actions", "asks", "answerBy", "default"]
        guard let question = reader.mapping("question", known: keys),
            question.required("actions", expected: "the buttons, like {approve: \"Approve\"}") != nil,
            let names = question.mapping("actions", known: nil)
        else { return nil }
        let actions = actions(names)
        let asks = question["asks"].flatMap(question.truth) ?? false
        if asks {
            check(names)
        } else if let node = question["answerBy"] ?? question["default"] {
            issues.add(node, "only the event's own question has it here; expected \"asks: true\" beside it")
        }
        let answerBy = answerBy(question)
        let fallback = question.text("default")
        if let fallback, let node = question["default"] {
            if !actions.contains(where: { $0.id == fallback }) {
                issues.add(node, "expected one of the actions: \(Spelling.list(actions.map(\.id)))")
            }
            if question["answerBy"] == nil { issues.add(node, "expected an \"answerBy\", after which it counts") }
        }
        return QuestionRule(actions: actions, usual: asks ? .init(answerBy: answerBy, fallback: fallback) : nil)
    }

    private func actions(_ names: MappingReader) -> [Question.Action] {
        if names.entries.isEmpty { issues.add(names.node, "expected at least one button") }
        return names.entries.compactMap { entry in
            if !(1...Question.maximumIDBytes).contains(entry.key.utf8.count) {
                names.refuse(entry, "expected a name of 1 to \(Question.maximumIDBytes) bytes")
            }
            guard let label = names.plainText(entry.value) else { return nil }
            if label.utf8.count > Question.maximumLabelBytes {
                issues.add(entry.value, "expected at most \(Question.maximumLabelBytes) bytes on a button")
            }
            return Question.Action(id: entry.key, label: label)
        }
    }

    /// Checks the actions of a type that asks by itself.
    private func check(_ names: MappingReader) {
        if names.entries.count > Question.maximumActions {
            issues.add(
                names.node, "a question has at most \(Question.maximumActions) buttons; expected fewer, or no \"asks\"")
        }
        if let batch = reader["batch"] {
            issues.add(batch, "a notification that asks is never batched; expected no batch, or no \"asks\"")
        }
    }

    private func answerBy(_ question: MappingReader) -> Duration? {
        guard let node = question["answerBy"], let duration = question.duration(node) else { return nil }
        if duration > Event.maximumDelay {
            issues.add(node, "expected at most \(Event.maximumDelay.components.seconds / 86_400)d")
        }
        return duration
    }
}
