import JSON

/// Reads the recipient lists of an event, `"to": {"participants": …}`, each in one of these forms:
///
/// - `["user-7", {"user": "user-8", "data": {…}}]`: people, with data of their own or without;
/// - `{"users"?: […], "topic"?: "room:789", "topics"?: […]}`: people, and the members of topics;
/// - `{"all": true}`: everybody who has an inbox.
struct RecipientReader {
    private static let maximumTopics = 100

    private var lists: [Event.RecipientList] = []
    private var count = 0

    /// - Parameter members: the members of `to`.
    static func lists(in members: EventMembers) throws(EventProblem) -> [Event.RecipientList] {
        var reader = RecipientReader()
        reader.lists.reserveCapacity(members.object.memberCount)
        try members.object.forEachMember { (member) throws(EventProblem) in
            let list = try reader.list(member.key.text, member.value, in: members)
            reader.count += list.users.count
            guard reader.count <= Event.maximumRecipients else { throw .tooManyRecipients(members.pointer) }
            reader.lists.append(list)
        }
        return reader.lists
    }

    private func list(
        _ name: String, _ value: JSONNode, in lists: EventMembers
    ) throws(EventProblem) -> Event.RecipientList {
        var list = Event.RecipientList(name: name)
        if value.isArray {
            try add(value, of: lists, to: &list, at: lists.place(name))
        } else if let all = value["all"] {
            let members = try lists.inner(value, in: lists.place(name), known: ["all"])
            guard all.bool == true else { throw .invalidValue(members.place("all"), expected: "true") }
            list.isEverybody = true
        } else if value.isObject {
            let members = try lists.inner(value, in: lists.place(name), known: ["users", "topic", "topics", "all"])
            try addNamed(members, to: &list)
        } else {
            throw .wrongType(
                lists.place(name), expected: "an array of user ids, or an object of users and topics",
                found: value.kindInWords)
        }
        return list
    }

    private func addNamed(_ members: EventMembers, to list: inout Event.RecipientList) throws(EventProblem) {
        guard members.object.memberCount > 0 else {
            throw .missingField(members.place("users"), expected: "users, topic, topics or all")
        }
        if let users = try members.array("users", of: "user ids") {
            try add(users, of: members, to: &list, at: members.place("users"))
        }
        if let topic = try members.text("topic", maximumBytes: TopicName.maximumBytes) {
            list.topics.append(try Self.topic(topic, in: members.app, at: members.place("topic")))
        }
        guard let topics = try members.array("topics", of: "topics") else { return }
        guard topics.count <= Self.maximumTopics else {
            throw .invalidValue(members.place("topics"), expected: "at most \(Self.maximumTopics) topics")
        }
        for (index, element) in (topics.elements ?? []).enumerated() {
            let place = members.place("topics").appending(String(index))
            guard let text = element.string else {
                throw .wrongType(place, expected: "a topic's name", found: element.kindInWords)
            }
            list.topics.append(try Self.topic(text, in: members.app, at: place))
        }
    }

    private static func topic(
        _ text: String, in app: AppName, at place: JSONPointer
    ) throws(EventProblem) -> String {
        guard TopicName.isValid(text) else { throw .invalidValue(place, expected: TopicName.expectation) }
        return app.key(text)
    }

    private func add(
        _ elements: JSONNode, of members: EventMembers, to list: inout Event.RecipientList,
        at place: @autoclosure () -> JSONPointer
    ) throws(EventProblem) {
        // Checked before the users are read: a list that is too long need not be copied.
        guard elements.count <= Event.maximumRecipients else { throw .tooManyRecipients(place()) }
        list.users.reserveCapacity(elements.count)
        var index = 0
        try elements.forEachElement { (element) throws(EventProblem) in
            defer { index += 1 }
            if let text = element.string {
                // The place is computed only for a message: there may be thousands of users.
                guard let user = members.user(text) else {
                    throw .invalidUser(at: place().appending(String(index)))
                }
                list.users.append(user)
            } else if element.isObject {
                try addPerson(members.inner(element, in: place(), .element(index), known: ["user", "data"]), to: &list)
            } else {
                throw .wrongType(
                    place().appending(String(index)), expected: "a user id, or an object of user and data",
                    found: element.kindInWords)
            }
        }
    }

    /// If a list names a person twice, the data of the first mention counts.
    private func addPerson(_ members: EventMembers, to list: inout Event.RecipientList) throws(EventProblem) {
        guard let text = try members.string("user") else {
            throw .missingField(members.place("user"), expected: "a user id")
        }
        guard let user = members.user(text) else { throw .invalidUser(at: members.place("user")) }
        list.users.append(user)
        if let own = try members.object("data"), list.own[user] == nil { list.own[user] = own }
    }
}
