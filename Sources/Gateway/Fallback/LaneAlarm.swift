/// When a lane's timer will call, so that it is set anew only where that is too late: to set it for each batch, of
/// which most go before their time, costs more than a call that finds nothing to do.
///
/// By the timer's own clock, which nobody sets and which stands still while the machine sleeps. By the one that jobs
/// are due by, and by one that goes on meanwhile, the timer's time may be over long before it calls.
struct LaneAlarm {
    /// So much a delay may be too short that is the difference of two of the lane's times: those are whole
    /// milliseconds.
    private static let tolerance = Duration.milliseconds(1)

    /// Nil while the timer is not set.
    private var callsAt: SuspendingClock.Instant?

    /// The lane is to be called after a delay.
    /// - Returns: whether the timer is to be set so; if not, it calls by then as it is.
    mutating func isToBeSet(for delay: Duration, at now: SuspendingClock.Instant) -> Bool {
        let time = now + delay
        if let callsAt, callsAt <= time + Self.tolerance { return false }
        callsAt = time
        return true
    }

    /// The timer has called.
    mutating func called() { callsAt = nil }
}
