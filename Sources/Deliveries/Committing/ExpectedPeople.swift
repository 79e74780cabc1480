package import Inbox

/// The people whom the writes of one transaction are about to serve. See ``ExpectedFacts``.
package struct ExpectedPeople: Sendable {
    /// Each of them gets something, and an inbox if there is none yet.
    package var recipients: [UserID] = []
    /// They are looked up.
    package var others: [UserID] = []
    /// They are looked up, and pushes that wait for them may be cancelled.
    package var acknowledging: [UserID] = []

    /// Whether one of the events is for everybody: who has no inbox yet must not get one before it is taken in.
    package var includeEverybody = false
    /// The keys of the events so far.
    package var keys: Set<EventKey> = []

    package init(_ others: [UserID] = []) { self.others = others }
    package init(acknowledging: [UserID]) { self.acknowledging = acknowledging }

    package var isEmpty: Bool { recipients.isEmpty && others.isEmpty && acknowledging.isEmpty }

    package static func += (sum: inout ExpectedPeople, more: ExpectedPeople) {
        sum.recipients += more.recipients
        sum.others += more.others
        sum.acknowledging += more.acknowledging
    }
}
