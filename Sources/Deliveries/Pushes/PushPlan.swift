package import Inbox

/// When one push leaves, and why then.
package struct PushPlan {
    package private(set) var due: Timestamp
    package private(set) var hold: PushDecision.Hold
    /// The key of the pushes that it leaves with as one; nil if it leaves alone.
    package var foldKey: String?
    /// When a held push would leave if its owner could be disturbed. For a push that waits for `notBefore`, when it
    /// leaves; else nil.
    package private(set) var heldFrom: Timestamp?

    /// - Parameters:
    ///   - due: by the policy alone.
    ///   - isLive: whether a session may acknowledge the push before it is due.
    package init(due: Timestamp, isLive: Bool, at now: Timestamp) {
        self.due = due
        hold = isLive && due > now ? .grace : .none
    }

    /// Lets the push leave no sooner than `time`.
    package mutating func wait(until time: Timestamp?, _ cause: PushDecision.Hold) {
        guard let time, time > due else { return }
        due = time
        hold = cause
        heldFrom = cause == .notBefore ? time : nil
    }

    /// Puts the push off, as its owner may not be disturbed when it is due.
    package mutating func keepBack(_ kept: UserSettings.Hold, foldKey: String) {
        heldFrom = due
        due = kept.end
        hold = kept.cause
        self.foldKey = foldKey
    }
}
