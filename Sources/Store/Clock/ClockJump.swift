package import Inbox

/// The wall clock and the process' clock have come apart: the wall clock was set, or the process slept. The process'
/// clock is about to follow, and everything that waits for a span of time moves along.
package struct ClockJump: Sendable, Hashable {
    package enum Cause: Sendable, Hashable {
        case set
        /// The process did not run, and neither read nor sent anything meanwhile.
        case sleep
    }

    /// By how much the process' clock will be moved.
    package let span: Duration
    package let cause: Cause
    /// The time that it will show then.
    package let now: Timestamp
    /// Its reading against the running clock then; nil if there is no running clock to compare with.
    package let reading: ClockReading?

    package init(span: Duration, cause: Cause, now: Timestamp, reading: ClockReading?) {
        (self.span, self.cause, self.now, self.reading) = (span, cause, now, reading)
    }

    /// When a waiting push is to leave, and when it expires.
    ///
    /// - Parameters:
    ///   - isDated: whether it waits for a time of the calendar: the end of quiet hours, or `notBefore`.
    ///   - isFallback: whether an acknowledgement cancels it. Acknowledgements during a sleep, or of what was sent
    ///     since a clock was set, are unknown: its grace starts anew.
    ///   - deadline: the publisher's end, a time of the calendar.
    package func times(
        due: Timestamp, expiry: Timestamp, deadline: Timestamp?, isDated: Bool, isFallback: Bool, grace: Duration
    ) -> (due: Timestamp, expiry: Timestamp) {
        let earliest = isFallback ? now + grace : now
        if isDated { return (due > now ? due : max(due, earliest), expiry) }
        let moved = due + span
        let due = isFallback ? max(moved, earliest) : moved
        switch cause {
        // A sleep does not prolong a push's life.
        case .sleep: return (due, expiry)
        case .set where expiry == deadline: return (due, expiry)
        case .set: return (due, min(expiry + span, deadline ?? expiry + span))
        }
    }
}
