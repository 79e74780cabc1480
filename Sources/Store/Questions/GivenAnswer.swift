package import Inbox

/// An answer on its way to the question of a person's notification.
package struct GivenAnswer: Sendable, Hashable {
    package let user: UserID
    package let notification: NotificationID
    /// The action's id.
    package let action: String
    package let way: Answer.Way
    package let now: Timestamp

    package init(user: UserID, notification: NotificationID, action: String, way: Answer.Way, now: Timestamp) {
        self.user = user
        self.notification = notification
        self.action = action
        self.way = way
        self.now = now
    }
}

/// A person who was asked and has not answered.
package struct UnansweredQuestion: Sendable, Hashable {
    package let user: UserID
    package let notification: NotificationID

    package init(user: UserID, notification: NotificationID) { (self.user, self.notification) = (user, notification) }
}
