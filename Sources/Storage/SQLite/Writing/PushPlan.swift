import Inbox

/// When one push leaves, and what decides that.
struct PushPlan {
    private(set) var due: Timestamp
    private(set) var hold: PushDecision.Hold
    /// What it has in common with others that it leaves as one with; nil if it leaves alone.
    var foldKey: String?
    /// When it would leave, if its owner could be disturbed. Nil if they can, unless it waits for a time of the
    /// calendar anyway: then it is when it leaves.
    private(set) var heldFrom: Timestamp?

    /// - Parameters:
    ///   - due: by the policy alone.
    ///   - isLive: whether a session may acknowledge it until then.
    init(due: Timestamp, isLive: Bool, at now: Timestamp) {
        self.due = due
        hold = isLive && due > now ? .grace : .none
    }

    /// It leaves no sooner than `time`.
    mutating func wait(until time: Timestamp?, _ cause: PushDecision.Hold) {
        guard let time, time > due else { return }
        due = time
        hold = cause
        heldFrom = cause == .notBefore ? time : nil
    }

    /// Its owner is not to be disturbed when it is due.
    mutating func keepBack(_ kept: UserSettings.Hold, foldKey: String) {
        heldFrom = due
        due = kept.end
        hold = kept.cause
        self.foldKey = foldKey
    }
}
