/// A process: what it has begun goes on only while it lives, and waits while it is stopped.
@MainActor
final class SimulatedProcess {
    let timeline: Timeline
    private(set) var isDead = false
    private(set) var isStopped = false
    /// Whether it was stopped at any time, as by SIGSTOP, or by a machine that sleeps.
    private(set) var hasBeenStopped = false
    private var missed: [() -> Void] = []

    init(_ timeline: Timeline) { self.timeline = timeline }

    /// Has something happen later.
    ///
    /// - Parameter delay: in microseconds.
    func after(_ delay: Int64, _ body: @escaping () -> Void) {
        timeline.after(delay) { [self] in
            if isDead { return }
            if isStopped { missed.append(body) } else { body() }
        }
    }

    func stop() { (isStopped, hasBeenStopped) = (true, true) }

    func goOn() {
        guard isStopped else { return }
        isStopped = false
        let missed = missed
        self.missed = []
        // Each in a moment of its own, as the bodies expect.
        for body in missed { after(0, body) }
    }

    /// As `kill -9`: nothing that waits happens any more.
    func die() { (isDead, missed) = (true, []) }
}
