package import Inbox

/// What became of questions whose time is over.
package struct SettledQuestions: Sendable, Hashable {
    /// How many there were, those of removed notifications included.
    package var count = 0
    /// When the next question's time is over; nil without any.
    package var nextDue: Timestamp?

    package init(count: Int = 0, nextDue: Timestamp? = nil) { (self.count, self.nextDue) = (count, nextDue) }
}
