package import Inbox
package import Push

/// What one durable commit changed, in order.
package struct Commit: Sendable {
    package struct InboxDelivery: Sendable {
        package let user: UserID
        package let change: InboxChange
        /// Whether a push may have been queued for it, which an acknowledgement would cancel.
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
        /// Whether an event has published it, of which the same commit tells people, or a later one.
        package let isOfEvent: Bool

        package init(item: FeedItem, position: FeedPosition, isOfEvent: Bool = false) {
            self.item = item
            self.position = position
            self.isOfEvent = isOfEvent
        }
    }

    /// Somebody who is not in a topic any more.
    package struct Departure: Sendable {
        package let user: UserID
        package let topic: String

        package init(user: UserID, topic: String) {
            self.user = user
            self.topic = topic
        }
    }

    /// What a person has changed of their settings.
    package struct SettingsDelivery: Sendable {
        package let user: UserID
        /// All of them, as ``UserSettings/json``.
        package let json: [UInt8]

        package init(user: UserID, json: [UInt8]) {
            self.user = user
            self.json = json
        }
    }

    /// Whose inboxes are gone; a new one of the same name has nothing to do with it. Comes before `inboxes`.
    package var erased: [UserID] = []
    package var inboxes: [InboxDelivery] = []
    package var feeds: [FeedDelivery] = []
    package var departures: [Departure] = []
    package var settings: [SettingsDelivery] = []
    /// By provider: when the earliest push job is due that this commit queued, put off or set free; that may be long
    /// ago.
    package var nextPushDue: [Device.Provider: Timestamp] = [:]

    package init() {}

    package var isEmpty: Bool {
        erased.isEmpty && inboxes.isEmpty && feeds.isEmpty && departures.isEmpty && settings.isEmpty
            && nextPushDue.isEmpty
    }
}
