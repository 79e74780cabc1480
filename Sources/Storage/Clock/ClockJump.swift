package import Inbox

/// The wall clock and the process' own have come apart: it was set, or the process slept. The process' clock is about
/// to follow, and what waits for a span of time goes along.
package struct ClockJump: Sendable, Hashable {
    package enum Cause: Sendable, Hashable {
        case set
        /// The process did not run, and neither read nor sent anything meanwhile.
        case sleep
    }

    /// By how much the process' clock is to be moved.
    package let span: Duration
    package let cause: Cause
    /// What it shows then.
    package let now: Timestamp
    /// How it stands to the running clock then; nil where nobody can tell the next process.
    package let reading: ClockReading?

    package init(span: Duration, cause: Cause, now: Timestamp, reading: ClockReading?) {
        (self.span, self.cause, self.now, self.reading) = (span, cause, now, reading)
    }

    /// When a push that waits is to leave, and until when it may.
    ///
    /// - Parameters:
    ///   - isDated: whether it waits for a time of the calendar: the end of quiet hours, or `notBefore`.
    ///   - isFallback: whether an acknowledgement cancels it. Nobody knows who has acknowledged during a sleep, and
    ///     what was sent since a clock was set: its grace starts anew.
    ///   - deadline: the publisher's word, a time of the calendar.
    package func times(
        due: Timestamp, expiry: Timestamp, deadline: Timestamp?, isDated: Bool, isFallback: Bool, grace: Duration
    ) -> (due: Timestamp, expiry: Timestamp) {
        let earliest = isFallback ? now + grace : now
        if isDated { return (due > now ? due : max(due, earliest), expiry) }
        let moved = due + span
        let due = isFallback ? max(moved, earliest) : moved
        switch cause {
        // A push does not get younger by a sleep.
        case .sleep: return (due, expiry)
        case .set where expiry == deadline: return (due, expiry)
        case .set: return (due, min(expiry + span, deadline ?? expiry + span))
        }
    }
}
