package import JSON

extension Event {
    package static let maximumKeyBytes = 200
    /// More people than this are a topic's business: one event must not hold up all others.
    package static let maximumRecipients = 10_000
    /// A push that waits takes room in the queue, and what it says grows old.
    package static let maximumDelay = Duration.seconds(30 * 86_400)

    /// Reads an event as a backend publishes it:
    /// `{"type": …, "key"?: …, "actor"?: {"id": …}, "to": {"participants": […]}, "data"?: {…}, "occurredAt"?: …,
    /// "notBefore"?: …, "expiresAt"?: …, "push"?: {"when"?: …, "urgency"?: …}}`.
    ///
    /// An optional member that is null counts as absent. Unknown members are refused, so that a typing mistake is not
    /// lost; `actor` and `data` are the app's own and may hold anything.
    ///
    /// - Parameter now: what `notBefore` and `expiresAt` are judged by.
    package init(json: JSONValue, at now: Timestamp) throws(EventProblem) {
        let members = try EventMembers(json, at: JSONPointer(), known: Self.memberNames)
        guard let type = try members.text("type", maximumBytes: Self.maximumKeyBytes) else {
            throw .missingField(members.place("type"), expected: "the event's type")
        }
        let push = try members.nested("push", known: ["when", "urgency"])
        self.init(
            type: type,
            key: try members.text("key", maximumBytes: Self.maximumKeyBytes),
            actor: try Self.actor(in: members),
            to: try Self.recipients(in: members),
            data: try members.object("data") ?? [:],
            occurredAt: try members.timestamp("occurredAt"),
            notBefore: try Self.notBefore(in: members, at: now),
            expiresAt: try Self.expiresAt(in: members, at: now),
            push: try push?.choice("when"),
            urgency: try push?.choice("urgency"))
    }

    private static let memberNames = [
        "type", "key", "actor", "to", "data", "occurredAt", "notBefore", "expiresAt", "push",
    ]

    /// A time that has passed holds nothing up, so it is no mistake.
    private static func notBefore(in members: EventMembers, at now: Timestamp) throws(EventProblem) -> Timestamp? {
        guard let time = try members.timestamp("notBefore") else { return nil }
        guard time <= now + maximumDelay else {
            let days = maximumDelay.components.seconds / 86_400
            throw .invalidValue(members.place("notBefore"), expected: "a time within the next \(days) days")
        }
        return time
    }

    private static func expiresAt(in members: EventMembers, at now: Timestamp) throws(EventProblem) -> Timestamp? {
        guard let time = try members.timestamp("expiresAt") else { return nil }
        guard time > now else { throw .invalidValue(members.place("expiresAt"), expected: "a time to come") }
        if let notBefore = try members.timestamp("notBefore"), time <= notBefore {
            throw .invalidValue(members.place("expiresAt"), expected: "a time after notBefore")
        }
        return time
    }

    private static func actor(in members: EventMembers) throws(EventProblem) -> JSONObject? {
        guard let actor = try members.nested("actor", known: nil) else { return nil }
        guard try actor.text("id", maximumBytes: UserID.maximumBytes) != nil else {
            throw .missingField(actor.place("id"), expected: "the actor's user id")
        }
        return actor.object
    }

    private static func recipients(in members: EventMembers) throws(EventProblem) -> [RecipientList] {
        guard let lists = try members.nested("to", known: nil) else {
            throw .missingField(members.place("to"), expected: "an object of recipient lists")
        }
        var result: [RecipientList] = []
        var count = 0
        for member in lists.object.members {
            let users = try recipients(member.value, at: lists.place(member.key))
            count += users.count
            guard count <= maximumRecipients else {
                throw .invalidValue(members.place("to"), expected: "at most \(maximumRecipients) recipients an event")
            }
            result.append(RecipientList(name: member.key, users: users))
        }
        return result
    }

    private static func recipients(_ value: JSONValue, at place: JSONPointer) throws(EventProblem) -> [UserID] {
        if let object = value.object, object["topic"] != nil || object["all"] != nil {
            throw .unsupportedRecipients(place)
        }
        guard let elements = value.array else {
            throw .wrongType(place, expected: "an array of user ids", found: value.kind)
        }
        // Judged before the users are read: what is too long anyway need not be copied.
        guard elements.count <= maximumRecipients else {
            throw .invalidValue(place, expected: "at most \(maximumRecipients) recipients an event")
        }
        var users: [UserID] = []
        users.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            guard let text = element.string else {
                throw .wrongType(place.appending(String(index)), expected: "a user id", found: element.kind)
            }
            guard let user = UserID(rawValue: text) else {
                throw .invalidValue(
                    place.appending(String(index)), expected: "a user id of 1 to \(UserID.maximumBytes) bytes")
            }
            users.append(user)
        }
        return users
    }
}
