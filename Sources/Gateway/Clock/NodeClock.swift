import Dispatch
import Inbox
import Logging
import Storage
import Synchronization
import Transport

/// Runs a ``ClockRule``: the time by which a node takes in, delivers and waits.
final class NodeClock: Sendable {
    /// Moves what waits along, and calls back.
    typealias Follow = @Sendable (ClockJump, @escaping @Sendable (Result<Void, StoreError>) -> Void) -> Void

    private struct State {
        var rule: ClockRule
        var isFollowing = false
        var timer: (any DispatchSourceTimer)?
    }

    // What `now` needs, read from any thread without waiting.
    private let offset: Atomic<Int64>
    private let end: Atomic<Int64>
    private let state: QueueBound<State>

    init() {
        let rule = ClockRule(MachineClock.now, boot: MachineClock.boot, last: nil)
        offset = Atomic(rule.offset)
        end = Atomic(rule.end)
        state = QueueBound(State(rule: rule), on: DispatchQueue(label: "belfry.clock"))
    }

    /// From any thread.
    var now: Timestamp {
        Timestamp(
            milliseconds: ClockRule.time(
                running: MachineClock.running, end: end.load(ordering: .relaxed),
                offset: offset.load(ordering: .relaxed)))
    }

    /// Goes on where an earlier process' clock was. To be called before ``start(after:follow:followed:)``.
    func goOn(from last: ClockReading?) {
        let rule = ClockRule(MachineClock.now, boot: MachineClock.boot, last: last)
        offset.store(rule.offset, ordering: .relaxed)
        end.store(rule.end, ordering: .relaxed)
        state.post { $0.rule = rule }
    }

    /// Looks at the wall clock from now on. To be called once.
    ///
    /// - Parameters:
    ///   - last: how an earlier process' clock stood.
    ///   - followed: told when this one has followed, on its own queue.
    func start(
        after last: ClockReading?, follow: @escaping Follow, followed: @escaping @Sendable (ClockJump) -> Void
    ) {
        state.post { [self] state in
            // The next process is to know where this one has begun.
            if let reading = state.rule.reading, reading != last {
                follow(ClockJump(span: .zero, cause: .set, now: now, reading: reading)) { _ in }
            }
            let timer = DispatchSource.makeTimerSource(queue: self.state.queue)
            timer.schedule(deadline: .now(), repeating: ClockRule.interval / .seconds(1))
            timer.setEventHandler { [weak self] in self?.look(follow, followed) }
            timer.activate()
            state.timer = timer
        }
    }

    func stop() { state.post { $0.timer?.cancel() } }

    private func look(_ follow: Follow, _ followed: @escaping @Sendable (ClockJump) -> Void) {
        let jump = state.withState { state -> ClockJump? in
            var rule = state.rule
            let jump = rule.look(MachineClock.now)
            take(rule, &state)
            guard let jump, !state.isFollowing else { return nil }
            state.isFollowing = true
            return jump
        }
        guard let jump else { return }
        follow(jump) { [self] result in
            guard case .success = result else { return state.post { $0.isFollowing = false } }
            // At once: what is written behind it goes by it.
            offset.add(jump.span.milliseconds, ordering: .relaxed)
            state.post { state in
                state.isFollowing = false
                state.rule.followed(jump)
                followed(jump)
            }
        }
    }

    private func take(_ rule: ClockRule, _ state: inout State) {
        // By the difference: a jump that has just been followed is not the rule's yet.
        offset.add(rule.offset - state.rule.offset, ordering: .relaxed)
        end.store(rule.end, ordering: .relaxed)
        state.rule = rule
    }
}
