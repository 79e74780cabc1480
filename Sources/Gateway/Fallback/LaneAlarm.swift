/// Knows when a lane's timer will fire, so that the timer is set anew only if that is too late. Setting it for each
/// batch costs more than a call that finds nothing to do: most batches go before their time.
///
/// Uses the timer's own clock, which nobody sets and which stands still during sleep. By the jobs' clock, or one that
/// goes on during sleep, the time could be over long before the timer fires.
struct LaneAlarm {
    /// By how much a delay between two of the lane's times may be too short: these are whole milliseconds.
    private static let tolerance = Duration.milliseconds(1)

    /// Nil while the timer is not set.
    private var callsAt: SuspendingClock.Instant?

    /// Notes that the lane is to be called after a delay.
    /// - Returns: whether to set the timer so; if not, it fires by then as it is.
    mutating func isToBeSet(for delay: Duration, at now: SuspendingClock.Instant) -> Bool {
        let time = now + delay
        if let callsAt, callsAt <= time + Self.tolerance { return false }
        callsAt = time
        return true
    }

    /// Notes that the timer has fired.
    mutating func called() { callsAt = nil }
}
