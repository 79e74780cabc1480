import Deliveries
import Gateway
import Inbox
import ReferenceStore
import Store

/// A node's clock: the program's rule over a simulated machine's clocks.
///
/// The program looks at them once a second. Here it looks within a second after they were set, which shows the same.
@MainActor
final class SimulatedClock {
    private static let boot = "simulated"

    private let process: SimulatedProcess
    private let isFollowing: Bool
    private var rule: ClockRule
    private var store: MemoryStore?
    private var isBusy = false
    private(set) var moved = Duration.zero
    /// Called behind each jump that the store has followed.
    var followed: (Duration) -> Void = { _ in }

    /// - Parameters:
    ///   - last: what the node before has stored.
    ///   - isFollowing: false for a planted mistake.
    init(_ process: SimulatedProcess, last: ClockReading?, isFollowing: Bool) {
        (self.process, self.isFollowing) = (process, isFollowing)
        let timeline = process.timeline
        rule = ClockRule(timeline.machineClock, boot: Self.boot, last: last)
    }

    private var timeline: Timeline { process.timeline }

    /// The time by which pushes wait.
    var now: Timestamp {
        guard isFollowing else { return timeline.wallClock }
        return Timestamp(
            milliseconds: ClockRule.time(running: timeline.machineClock.running, end: .max, offset: rule.offset))
    }

    /// Follows what was set while no node ran. To be called once, before anything else happens in the store.
    func start(_ store: MemoryStore) {
        self.store = store
        look()
        guard isFollowing, let reading = rule.reading, reading != store.lastClock else { return }
        store.follow(ClockJump(span: .zero, cause: .set, now: now, reading: reading)) { _ in }
    }

    /// The machine's clock was set just now.
    func isSet() {
        // Nodes that share a database wait by that one's clock.
        guard store != nil else { return }
        // As if it had been looked at a moment before.
        rule = ClockRule(timeline.machineClock, boot: Self.boot, last: rule.reading)
        lookSoon()
    }

    /// The process has ended.
    func stop() { store = nil }

    private func lookSoon() {
        process.after(timeline.microseconds(0...1_000_000)) { [weak self] in self?.look() }
    }

    private func look() {
        guard isFollowing, let store, !isBusy, let jump = rule.look(timeline.machineClock) else { return }
        isBusy = true
        store.follow(jump) { result in
            MainActor.assumeIsolated { [weak self] in
                guard let self else { return }
                isBusy = false
                guard case .success = result else { return lookSoon() }
                timeline.tell("the store has followed by \(jump.span), to \(jump.now.milliseconds)")
                rule.followed(jump)
                moved += jump.span
                followed(jump.span)
                // It may have been set again meanwhile.
                isSet()
            }
        }
    }
}

extension Timeline {
    fileprivate var machineClock: MachineClock {
        MachineClock(wall: wallClock.milliseconds, running: elapsed / 1_000 + 1_000_000)
    }
}
