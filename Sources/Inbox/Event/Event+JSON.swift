package import JSON

extension Event {
    package static let maximumKeyBytes = 200
    /// Of `data`, and of `actor`: each recipient has a copy, and a page of an inbox a hundred of them.
    package static let maximumDataBytes = 64 << 10
    /// More people than this belong in a topic: their names would be most of a publish.
    package static let maximumRecipients = 10_000
    /// A waiting push takes room in the queue, and its text grows old.
    package static let maximumDelay = Duration.seconds(30 * 86_400)
    /// How far a publisher's clock may be ahead. A later date would keep its batch open until then, and would keep
    /// older notifications of the inbox from expiring.
    package static let maximumLead = Duration.seconds(86_400)

    /// Reads an event from a backend: `{"type": …, "key"?: …, "actor"?: {"id": …}, "to": {"participants": […]},
    /// "data"?: {…}, "occurredAt"?: …,
    /// "notBefore"?: …, "expiresAt"?: …, "push"?: {"when"?: …, "urgency"?: …}, "question"?: …}`; see ``RecipientReader`` for `to`
    /// and ``QuestionReader`` for `question`.
    ///
    /// An optional member that is null counts as absent. Unknown members are refused, so that a typing mistake shows;
    /// `actor` and `data` are the app's own and may hold anything.
    ///
    /// - Parameters:
    ///   - now: the time that `occurredAt`, `notBefore` and `expiresAt` are compared with.
    ///   - app: the event's.
    package init(json: JSONNode, at now: Timestamp, in app: AppName = .unnamed) throws(EventProblem) {
        self = try Self.reading(EventMembers(json, in: JSONPointer(), known: Self.memberNames, in: app), at: now)
    }

    /// Takes the request's idempotency key; an event with a key of its own must have the same one.
    package mutating func take(key: String) throws(EventProblem) {
        guard self.key.map({ ExactText($0) == ExactText(key) }) ?? true else {
            throw .invalidValue(JSONPointer().appending("key"), expected: "the same key as in Idempotency-Key")
        }
        self.key = key
    }

    /// Reads an event that ``jsonWithoutRecipients`` wrote. It was checked when it came, perhaps by older rules: times
    /// may have passed, and names may hold control characters.
    package init(stored json: JSONNode) throws(EventProblem) {
        let app = json["app"]?.string.flatMap { AppName($0) } ?? .unnamed
        self = try Self.reading(
            EventMembers(
                json, in: JSONPointer(), known: Self.memberNames + ["app"], isStored: true, in: app), at: nil)
    }

    /// - Parameter now: nil to skip the checks of times.
    private static func reading(_ members: EventMembers, at now: Timestamp?) throws(EventProblem) -> Event {
        guard let type = try members.text("type", maximumBytes: maximumKeyBytes) else {
            throw .missingField(members.place("type"), expected: "the event's type")
        }
        let push = try members.nested("push", known: ["when", "urgency"])
        return Event(
            app: members.app, type: type, key: try members.text("key", maximumBytes: maximumKeyBytes),
            actor: try actor(in: members),
            to: try recipients(in: members), data: try members.object("data") ?? [:],
            occurredAt: try occurredAt(in: members, at: now), notBefore: try notBefore(in: members, at: now),
            expiresAt: try expiresAt(in: members, at: now), push: try push?.choice("when"),
            urgency: try push?.choice("urgency"), question: try QuestionReader.question(in: members, at: now))
    }

    /// Reads stored recipients; see ``RecipientReader``. Lists of the same name all count, and old names may hold
    /// control characters.
    package static func recipients(stored json: JSONNode) throws(EventProblem) -> [RecipientList] {
        let members = try EventMembers(
            json, in: JSONPointer(), .member("to"), known: nil, mayRepeat: true, isStored: true)
        return try RecipientReader.lists(in: members)
    }

    private static func recipients(in members: EventMembers) throws(EventProblem) -> [RecipientList] {
        guard let lists = try members.nested("to", known: nil) else {
            throw .missingField(members.place("to"), expected: "an object of recipient lists")
        }
        return try RecipientReader.lists(in: lists)
    }

    private static let memberNames: [StaticString] = [
        "type", "key", "actor", "to", "data", "occurredAt", "notBefore", "expiresAt", "push", "question",
    ]

    private static func occurredAt(in members: EventMembers, at now: Timestamp?) throws(EventProblem) -> Timestamp? {
        guard let time = try members.timestamp("occurredAt") else { return nil }
        guard let now else { return time }
        guard time <= now + maximumLead else {
            throw .invalidValue(members.place("occurredAt"), expected: "a time in the past, or at most a day ahead")
        }
        return time
    }

    /// A time that has passed delays nothing, so it is allowed.
    private static func notBefore(in members: EventMembers, at now: Timestamp?) throws(EventProblem) -> Timestamp? {
        guard let time = try members.timestamp("notBefore") else { return nil }
        guard let now else { return time }
        guard time <= now + maximumDelay else {
            let days = maximumDelay.components.seconds / 86_400
            throw .invalidValue(members.place("notBefore"), expected: "a time within the next \(days) days")
        }
        return time
    }

    private static func expiresAt(in members: EventMembers, at now: Timestamp?) throws(EventProblem) -> Timestamp? {
        guard let time = try members.timestamp("expiresAt") else { return nil }
        guard let now else { return time }
        guard time > now else { throw .invalidValue(members.place("expiresAt"), expected: "a time in the future") }
        if let notBefore = try members.timestamp("notBefore"), time <= notBefore {
            throw .invalidValue(members.place("expiresAt"), expected: "a time after notBefore")
        }
        return time
    }

    private static func actor(in members: EventMembers) throws(EventProblem) -> JSONObject? {
        guard let actor = try members.nested("actor", known: nil) else { return nil }
        guard try actor.hasText("id", maximumBytes: UserID.maximumBytes) else {
            throw .missingField(actor.place("id"), expected: "the actor's user id")
        }
        return try actor.copy().balancingNames
    }
}

extension JSONValue {
    fileprivate var hasDirectionControl: Bool {
        if case .string(let text) = self { text.withOctets { $0.hasDirectionControl } } else { false }
    }
}

extension JSONObject {
    /// The actor without unpaired direction controls: a client looks for the actor's name at the start of a
    /// notification's text. Ids are compared, so they stay as they are.
    fileprivate var balancingNames: JSONObject {
        // Nearly all texts are free of such controls.
        guard members.contains(where: \.value.hasDirectionControl) else { return self }
        var object = self
        for member in members where member.key != "id" {
            if case .string(let text) = member.value { object[member.key] = .string(text.balancingDirections) }
        }
        return object
    }
}
