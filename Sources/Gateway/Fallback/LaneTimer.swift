import Dispatch
import Inbox

/// Calls a lane once a delay is over. Its clock is one that nobody sets. The lane's queue has it to itself.
package protocol LaneTimer: AnyObject {
    /// What its clock shows.
    var now: SuspendingClock.Instant { get }

    /// Sets what is called, on any queue. To be called once, before the timer is set.
    func onCall(_ body: @escaping @Sendable () -> Void)

    /// Sets the timer anew; an earlier delay counts no more.
    func set(after delay: Duration)

    /// Calls no more.
    func cancel()
}

/// A timer of the system's, which runs on no lane's queue: a shard occupies that for as long as it is busy.
final class DispatchLaneTimer: LaneTimer {
    private let source = DispatchSource.makeTimerSource()

    init() {
        // Here, as a start may never come: a source that was never activated must not be released. Dispatch complains in
        // the system's log of one without a handler.
        source.setEventHandler {}
        source.activate()
    }

    var now: SuspendingClock.Instant { .now }

    func onCall(_ body: @escaping @Sendable () -> Void) { source.setEventHandler(handler: body) }

    func set(after delay: Duration) {
        source.schedule(deadline: .now() + .milliseconds(Int(delay.milliseconds)), leeway: .milliseconds(1))
    }

    func cancel() { source.cancel() }
}
