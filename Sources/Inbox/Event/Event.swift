package import JSON

/// A backend's report of something that happened: "renee added 3 photos to room-789".
package struct Event: Sendable, Hashable {
    /// A named list of recipients; the catalog's routes give it a meaning.
    package struct RecipientList: Sendable, Hashable {
        package var name: String
        package var users: [UserID]
        /// Data for single recipients: its members replace those of the event's data.
        package var own: [UserID: JSONObject]
        /// The keys of topics; their members at the time of the publish are recipients.
        package var topics: [String]
        /// Whether everybody who has an inbox is a recipient.
        package var isEverybody: Bool

        package init(
            name: String, users: [UserID] = [], own: [UserID: JSONObject] = [:], topics: [String] = [],
            isEverybody: Bool = false
        ) {
            self.name = name
            self.users = users
            self.own = own
            self.topics = topics
            self.isEverybody = isEverybody
        }

        /// Whether the list names nobody.
        package var isEmpty: Bool { users.isEmpty && topics.isEmpty && !isEverybody }
    }

    /// The app of its people and topics.
    package var app: AppName
    package var type: String
    /// The publisher's own name for the event: a second publish within a day changes nothing.
    package var key: String?
    /// The person who caused the event: `id` and any members that templates use. Never a recipient of their own event.
    package var actor: JSONObject?
    package var to: [RecipientList]
    package var data: JSONObject
    /// When the event happened, if not now.
    package var occurredAt: Timestamp?
    /// The earliest time of a push; the inbox has the notification at once.
    package var notBefore: Timestamp?
    /// The time after which a push is not worth sending.
    package var expiresAt: Timestamp?
    /// Overrides the type's own policy for this event.
    package var push: PushPolicy.When?
    package var urgency: PushPolicy.Urgency?
    /// What each of its people is asked; nil for an event that asks nothing. Its notifications never batch.
    package var question: Question?

    package init(
        app: AppName = .unnamed, type: String, key: String? = nil, actor: JSONObject? = nil, to: [RecipientList] = [],
        data: JSONObject = [:],
        occurredAt: Timestamp? = nil, notBefore: Timestamp? = nil, expiresAt: Timestamp? = nil,
        push: PushPolicy.When? = nil, urgency: PushPolicy.Urgency? = nil, question: Question? = nil
    ) {
        self.app = app
        self.type = type
        self.key = key
        self.actor = actor
        self.to = to
        self.data = data
        self.occurredAt = occurredAt
        self.notBefore = notBefore
        self.expiresAt = expiresAt
        self.push = push
        self.urgency = urgency
        self.question = question
    }

    package var actorID: String? { actor?["id"]?.string }
    package var actorAsUser: UserID? { actorID.flatMap { UserID(known: $0, in: app) } }
}
