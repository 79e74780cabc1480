package import Inbox
package import Push

/// The changes of one durable commit, in order.
package struct Commit: Sendable {
    package struct InboxDelivery: Sendable {
        package let user: UserID
        package let change: InboxChange
        /// Whether a push may have been queued, which an acknowledgement would cancel.
        package let mayBePushed: Bool

        package init(user: UserID, change: InboxChange, mayBePushed: Bool = false) {
            self.user = user
            self.change = change
            self.mayBePushed = mayBePushed
        }
    }

    package struct FeedDelivery: Sendable {
        package let item: FeedItem
        package let position: FeedPosition
        /// Whether an event has published it, whose notifications are in the same commit or a later one.
        package let isOfEvent: Bool

        package init(item: FeedItem, position: FeedPosition, isOfEvent: Bool = false) {
            self.item = item
            self.position = position
            self.isOfEvent = isOfEvent
        }
    }

    /// A user who is no longer in a topic.
    package struct Departure: Sendable {
        package let user: UserID
        package let topic: String

        package init(user: UserID, topic: String) {
            self.user = user
            self.topic = topic
        }
    }

    /// A person's settings after a change.
    package struct SettingsDelivery: Sendable {
        package let user: UserID
        /// All settings, as ``UserSettings/json``.
        package let json: [UInt8]

        package init(user: UserID, json: [UInt8]) {
            self.user = user
            self.json = json
        }
    }

    /// Users whose inboxes are erased; a new inbox of the same name is another one. Comes before `inboxes`.
    package var erased: [UserID] = []
    /// Revocations of tokens, without those that an erasure of the same commit has removed again. Comes behind `erased`.
    package var revoked: [Revocation] = []
    package var inboxes: [InboxDelivery] = []
    package var feeds: [FeedDelivery] = []
    package var departures: [Departure] = []
    package var settings: [SettingsDelivery] = []
    /// Items of feeds that keep none, from another node.
    package var passing: [FeedItem] = []
    /// Users whose sessions have missed more than can be told: they have to begin anew. Never travels between nodes.
    package var restarted: [UserID] = []
    /// By provider, when the earliest push job is due that this commit queued, put off or set free; maybe long ago.
    package var nextPushDue: [Device.Provider: Timestamp] = [:]

    /// When the earliest webhook is due that this commit brought; maybe long ago. Never travels between nodes.
    package var nextWebhookDue: Timestamp?

    /// When the time of a question is over that this commit brought, the earliest; maybe long ago. Never travels between
    /// nodes.
    package var nextQuestionDue: Timestamp?

    /// When the earliest push to a Live Activity is due that this commit brought; maybe long ago. Never travels between
    /// nodes.
    package var nextActivityDue: Timestamp?

    /// How many pushes an acknowledgement has cancelled before they left. Never travels between nodes.
    package var savedPushes = 0
    /// The decisions about traced notifications; empty without traces. Never travels between nodes.
    package var traced: [TracedStep] = []

    package init() {}

    package var isEmpty: Bool {
        erased.isEmpty && revoked.isEmpty && inboxes.isEmpty && feeds.isEmpty && departures.isEmpty && settings.isEmpty
            && passing.isEmpty && restarted.isEmpty && nextPushDue.isEmpty && savedPushes == 0
            && traced.isEmpty && nextWebhookDue == nil && nextQuestionDue == nil
            && nextActivityDue == nil
    }
}
