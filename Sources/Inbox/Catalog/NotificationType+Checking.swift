import JSON

extension NotificationType {
    /// Checks that the event has all that this type shows, before anything of it is stored.
    ///
    /// - Parameter list: the recipients who get the type; each one's own data counts.
    func check(_ event: Event, for list: Event.RecipientList) throws(EventProblem) {
        let isAllTheirOwn = list.topics.isEmpty && !list.isEverybody && list.users.allSatisfy { list.own[$0] != nil }
        if !isAllTheirOwn { try check(event) }
        guard !list.own.isEmpty else { return }
        let place = JSONPointer().appending("to").appending(list.name)
        for (index, user) in list.users.enumerated() {
            guard let own = list.own[user] else { continue }
            let pointer = place.appending(String(index)).appending("data")
            try check(event, own: own, at: pointer)
        }
    }

    /// Checks that the type has words for the buttons that the event only names.
    func checkLabels(of question: Question) throws(EventProblem) {
        for (index, action) in question.actions.enumerated()
        where action.label == nil && wording.question?.label(of: action.id) == nil {
            let place = JSONPointer().appending("question").appending("actions").appending(String(index))
            throw .missingField(
                place.appending("label"),
                expected: "the words on the button, as the type \(name) has none for \"\(action.id)\"")
        }
    }

    /// Whether an event that was accepted earlier still has all that the type shows: its catalog may have been reloaded
    /// since.
    package func canShow(_ event: Event) -> Bool {
        do throws(EventProblem) { try check(event) } catch { return false }
        return true
    }

    /// Checks that the event has all that the type shows.
    ///
    /// - Parameters:
    ///   - own: the event's data for one recipient alone; nil for none.
    ///   - pointer: the place of that data.
    func check(
        _ event: Event, own: JSONObject? = nil, at pointer: JSONPointer = JSONPointer()
    ) throws(EventProblem) {
        let rendering = Rendering(
            actor: event.actor, data: event.data(merging: own),
            own: own.map { .init(keys: $0.keys, pointer: pointer) }, actorName: plan.actorName)
        try wording.batch?.check(rendering)
        for requirement in requirements { try requirement.check(rendering, for: name) }
        for preview in plan.previews { try preview.check(rendering, for: name) }
        for time in wording.times { try time.check(rendering, for: name) }
        for word in wording.words { try word.check(rendering, for: name) }
    }
}

extension Event {
    /// The data for one recipient: members of the recipient's own data replace the event's.
    func data(merging own: JSONObject?) -> JSONObject {
        guard let own else { return data }
        var data = data
        for member in own.members { data[member.key] = member.value }
        return data
    }
}
