import Dispatch
import Inbox
import Logging
import Store
import Synchronization
import Transport

/// Runs a ``ClockRule``: the time by which a node's pushes wait and are handed out. For a moment it is behind a wall
/// clock that was set, so ``WallClock`` judges requests and dates what is shown.
final class NodeClock: Sendable {
    /// Moves everything that waits along, and calls back.
    typealias Follow = @Sendable (ClockJump, @escaping @Sendable (Result<Void, StoreError>) -> Void) -> Void

    private struct State {
        var rule: ClockRule
        var isFollowing = false
        var timer: (any DispatchSourceTimer)?
    }

    // For `now`, which reads them from any thread without waiting.
    private let offset: Atomic<Int64>
    private let end: Atomic<Int64>
    /// In milliseconds.
    private let movedBy = Atomic<Int64>(0)
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

    /// As ``StoreOptions/clockMoved``. From any thread.
    var moved: Duration { .milliseconds(movedBy.load(ordering: .relaxed)) }

    /// Continues an earlier process' clock, follows changes of the wall clock since, and stores this process' reading
    /// for the next one. To be called before ``start(follow:followed:)``, and before anything waits or is handed out.
    ///
    /// - Parameter last: an earlier process' reading.
    /// - Returns: the jump that was followed. Nil for none, or for a failed move, which the start tries again.
    func goOn(from last: ClockReading?, follow: @escaping Follow) async -> ClockJump? {
        await withCheckedContinuation { continuation in
            state.post { [self] state in
                state.rule = ClockRule(MachineClock.now, boot: MachineClock.boot, last: last)
                offset.store(state.rule.offset, ordering: .relaxed)
                end.store(state.rule.end, ordering: .relaxed)
                look(&state, follow) { [self] jump in
                    // After the check, which may still hold the state.
                    self.state.post { [self] state in
                        guard jump == nil, let reading = state.rule.reading, reading != last else {
                            return continuation.resume(returning: jump)
                        }
                        follow(ClockJump(span: .zero, cause: .set, now: now, reading: reading)) { _ in
                            continuation.resume(returning: nil)
                        }
                    }
                }
            }
        }
    }

    /// Checks the wall clock from now on. To be called once.
    ///
    /// - Parameter followed: called on the clock's own queue once this clock has followed.
    func start(follow: @escaping Follow, followed: @escaping @Sendable (ClockJump) -> Void) {
        state.post { [self] state in
            let timer = DispatchSource.makeTimerSource(queue: self.state.queue)
            timer.schedule(deadline: .now(), repeating: ClockRule.interval / .seconds(1))
            timer.setEventHandler { [weak self] in
                guard let self else { return }
                self.state.withState { state in
                    self.look(&state, follow) { if let jump = $0 { followed(jump) } }
                }
            }
            timer.activate()
            state.timer = timer
        }
    }

    func stop() { state.post { $0.timer?.cancel() } }

    /// - Parameter completion: gets the jump that was followed, on the clock's queue; nil for none.
    private func look(
        _ state: inout State, _ follow: Follow, completion: @escaping @Sendable (ClockJump?) -> Void
    ) {
        var rule = state.rule
        let jump = rule.look(MachineClock.now)
        take(rule, &state)
        guard let jump, !state.isFollowing else { return completion(nil) }
        state.isFollowing = true
        follow(jump) { [self] result in
            let hasMoved = if case .success = result { true } else { false }
            // At once, as later writes go by it.
            if hasMoved {
                offset.add(jump.span.milliseconds, ordering: .relaxed)
                movedBy.add(jump.span.milliseconds, ordering: .relaxed)
            }
            self.state.post { state in
                state.isFollowing = false
                if hasMoved { state.rule.followed(jump) }
                completion(hasMoved ? jump : nil)
            }
        }
    }

    private func take(_ rule: ClockRule, _ state: inout State) {
        // By the difference: a jump that was just followed is not the rule's yet.
        offset.add(rule.offset - state.rule.offset, ordering: .relaxed)
        end.store(rule.end, ordering: .relaxed)
        state.rule = rule
    }
}
