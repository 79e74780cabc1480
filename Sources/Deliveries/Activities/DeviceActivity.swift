package import Inbox

/// One Live Activity on one device: how far it is, what it is to be told, and the push that is under way.
///
/// Only the newest state is kept: a later one takes the place of one that waits. A start is never repeated once the app
/// has sent the activity's token, and an end is never dropped before its start.
package struct DeviceActivity: Sendable, Hashable {
    /// What one event tells the activity.
    package struct Change: Sendable, Hashable {
        package var content: ActivityContent
        /// The notification of the event, for the trail; nil if nothing is noted.
        package var notification: Int64?
        /// When the event happened.
        package var at: Timestamp
        /// The time after which a late push would only confuse.
        package var expiry: Timestamp

        package init(content: ActivityContent, notification: Int64?, at: Timestamp, expiry: Timestamp) {
            (self.content, self.notification, self.at, self.expiry) = (content, notification, at, expiry)
        }
    }

    package enum Phase: Sendable, Hashable {
        /// The device does not show it.
        case absent
        /// The service took the start, and the app has not sent the activity's token yet.
        case begun(at: Timestamp)
        /// - Parameter token: for updates, in hex; nil for a device whose app shows activities by itself.
        case running(token: String?, since: Timestamp)
        case over(since: Timestamp)
    }

    /// A push under way.
    struct Sending: Sendable, Hashable {
        /// Tells the push from later ones.
        let number: Int64
        let change: Change
        /// The event as it was sent.
        let event: ActivityContent.Event
        let token: String?
        /// Whether it left at low priority because the budget was spent.
        let isLowered: Bool
    }

    /// For the trail.
    package struct Note: Sendable, Hashable {
        package let notification: Int64
        package let became: TrailActivity
    }

    /// "A Live Activity can be active for up to eight hours" (ActivityKit, "Displaying live data with Live Activities").
    package static let longestRun = Duration.seconds(8 * 3_600)
    /// An ended activity stays on the Lock Screen for up to four hours.
    static let longestRest = Duration.seconds(4 * 3_600)
    /// Two pushes with one timestamp would leave open which is the newer one.
    static let spacing = Duration.seconds(1)
    /// How long a start whose answer was lost waits for the activity's token, before it is sent again. An app that the
    /// start has woken sends the token within seconds.
    static let tokenWait = Duration.seconds(60)

    package internal(set) var phase = Phase.absent
    /// The newest state that is not under way.
    package internal(set) var waiting: Change?
    var sending: Sending?
    /// When the next push may leave; the end of the lease while one is under way. Nil if none waits, or if it waits for the
    /// app's token.
    package internal(set) var due: Timestamp?
    /// When the last event taken in happened.
    var newest: Timestamp?
    /// `timestamp` of the last push, in seconds since 1970.
    var told: Int64 = 0
    /// The tries of the waiting push that failed.
    var failures = 0
    /// Of the last push.
    var number: Int64 = 0
    /// Whether the waiting start may have arrived, as its answer was lost.
    var isUncertain = false

    package init() {}

    /// Whether a push is under way.
    package var isSending: Bool { sending != nil }

    /// Whether there is nothing to remember.
    package var isBlank: Bool { phase == .absent && waiting == nil && sending == nil }

    /// How long it is to be remembered.
    package var end: Timestamp {
        switch phase {
        case .absent: (waiting ?? sending?.change).map { $0.expiry + Self.longestRest } ?? Timestamp(milliseconds: 0)
        case .begun(let time), .running(_, let time): time + Self.longestRun + Self.longestRest
        case .over(let time): time + Self.longestRest
        }
    }

    // MARK: What happens

    /// An event tells the activity something.
    /// - Parameter canStart: whether the device can begin activities of the type of a start.
    package mutating func take(_ change: Change, canStart: Bool, at now: Timestamp) -> [Note] {
        if let newest, change.at < newest { return note(change, .dropped(.older)) }
        newest = change.at
        var notes = endIfTooOld(at: now)
        if waiting == nil, sending == nil, isOff {
            guard change.content.event == .start else {
                return notes + note(change, .dropped(phase == .absent ? .notRunning : .over))
            }
            guard canStart else { return notes + note(change, .dropped(.noStartToken)) }
            (phase, failures, isUncertain) = (.absent, 0, false)
            waiting = change
        } else {
            notes += merge(change)
            if case .begun = phase, waiting == change { notes += note(change, .waits) }
        }
        if sending == nil { plan(at: now) }
        return notes
    }

    /// The app has the activity, with this token for updates: it runs, whoever has begun it.
    package mutating func register(token: String, at now: Timestamp) -> [Note] {
        let notes = endIfTooOld(at: now)
        switch phase {
        case .begun(let time), .running(_, let time): phase = .running(token: token, since: time)
        case .absent, .over:
            phase = .running(token: token, since: now)
            // It is on the screen already: the words that announce it came with it.
            if waiting?.content.event == .start { waiting?.content.alert = nil }
        }
        (isUncertain, failures) = (false, 0)
        if sending == nil { plan(at: now) }
        return notes
    }

    /// The app says that the activity is over: the person has removed it, or the app has ended it.
    package mutating func dismiss(at now: Timestamp) -> [Note] { finish(.dismissed, at: now) }

    // MARK: Inside

    /// Whether the device shows nothing of it.
    private var isOff: Bool {
        switch phase {
        case .absent, .over: true
        case .begun, .running: false
        }
    }

    func note(_ change: Change, _ became: TrailActivity) -> [Note] {
        change.notification.map { [Note(notification: $0, became: became)] } ?? []
    }

    /// Says when the waiting change may leave.
    mutating func plan(at now: Timestamp) {
        switch phase {
        case .absent: due = waiting == nil ? nil : now
        case .begun, .over: due = nil
        case .running:
            let next = Timestamp(milliseconds: (told + 1) * 1_000)
            // A clock that was set back must not hold up pushes.
            due = waiting == nil ? nil : max(now, min(next, now + Self.spacing))
        }
    }

    /// Has a later change wait, with what must not be lost of an earlier one.
    mutating func merge(_ change: Change) -> [Note] {
        guard let old = waiting else {
            waiting = change
            return []
        }
        switch (old.content.event, change.content.event, isBeginning: phase == .absent) {
        case (.start, .update, isBeginning: true):
            var joined = old
            joined.content.state = change.content.state
            joined.content.relevance = change.content.relevance
            joined.content.staleAfter = change.content.staleAfter
            joined.content.alert = change.content.alert ?? old.content.alert
            (joined.at, joined.expiry) = (change.at, change.expiry)
            waiting = joined
            return note(change, .joined)
        case (.start, .end, isBeginning: true) where !isUncertain:
            (waiting, failures) = (nil, 0)
            return note(old, .dropped(.neverBegan)) + note(change, .dropped(.neverBegan))
        case (.start, .end, isBeginning: true):
            // It may be on the screen. Then the app sends its token, and the end follows.
            (phase, waiting, isUncertain, failures) = (.begun(at: change.at), change, false, 0)
            return note(old, .replaced)
        case (.end, .update, _): return note(change, .dropped(.over))
        case (.start, _, _), (.update, _, _), (.end, _, _):
            waiting = change
            return note(old, .replaced)
        }
    }

    /// The system ends an activity that has run for eight hours.
    mutating func endIfTooOld(at now: Timestamp) -> [Note] {
        switch phase {
        case .begun(let time), .running(_, let time): now - time < Self.longestRun ? [] : finish(.tooOld, at: now)
        case .absent, .over: []
        }
    }

    /// Ends it without telling the device.
    mutating func finish(_ drop: TrailActivity.Drop, at now: Timestamp) -> [Note] {
        let notes = waiting.map { note($0, .dropped(drop)) } ?? []
        (phase, waiting, due, failures, isUncertain) = (.over(since: now), nil, sending == nil ? nil : due, 0, false)
        return notes
    }
}
