import Dispatch
import Inbox
import Store
import Transport

/// Hands out what waits in the store for several receivers, as each one's ``LeaseLane`` decides, on a queue of its own.
/// Receivers are known by their places.
final class LeaseLanes<Job: Sendable>: Sendable {
    /// Asks the store for so many of a receiver's jobs.
    typealias Lease =
        @Sendable (
            _ receiver: Int, _ limit: Int, _ now: Timestamp,
            _ completion: @escaping @Sendable (Result<(jobs: [Job], nextDue: Timestamp?), StoreError>) -> Void
        ) -> Void

    private struct State {
        var lanes: [LeaseLane]
        var wakesAt: [Timestamp?]
        var lease: Lease = { _, _, _, _ in }
        var send: @Sendable (Job, Int) -> Void = { _, _ in }
    }

    private let state: QueueBound<State>
    private let now: @Sendable () -> Timestamp

    /// - Parameters:
    ///   - count: of receivers.
    ///   - label: the queue's.
    ///   - now: the clock by which jobs wait.
    init(_ count: Int, _ lane: LeaseLane, label: String, now: @escaping @Sendable () -> Timestamp) {
        self.now = now
        state = QueueBound(
            State(lanes: Array(repeating: lane, count: count), wakesAt: Array(repeating: nil, count: count)),
            on: DispatchQueue(label: label, qos: .utility))
    }

    var queue: DispatchQueue { state.queue }

    /// To be called once, before anything else.
    ///
    /// - Parameter send: called on the queue with each job, which ends with ``settled(_:due:)``.
    func carryOut(lease: @escaping Lease, send: @escaping @Sendable (_ job: Job, _ receiver: Int) -> Void) {
        state.post { ($0.lease, $0.send) = (lease, send) }
    }

    /// Something is due at this time, for any receiver.
    func expect(_ due: Timestamp) { changeAll { $0.expect(due) } }

    /// Moves all times, as the clock was set and the store has followed.
    func move(by span: Duration) { changeAll { [now] in $0.move(by: span, to: now()) } }

    /// Looks for what is due.
    func look() { changeAll { [now] in $0.expect(now()) } }

    func look(for receiver: Int) { change(receiver) { [now] in $0.expect(now()) } }

    func succeeded(_ receiver: Int) { change(receiver) { $0.succeeded() } }

    /// The receiver fails: it gets nothing for so long, and then one at a time.
    func failed(_ receiver: Int, pause: Duration = .zero) {
        change(receiver) { [now] in $0.failed(until: now() + pause) }
    }

    /// A job has ended, whether the store could take its outcome or not.
    ///
    /// - Parameter due: as in ``LeaseLane/settled(due:)``.
    func settled(_ receiver: Int, due: Timestamp? = nil) { change(receiver) { $0.settled(due: due) } }

    /// Hands out nothing more.
    func stop() { changeAll { $0.close() } }

    // MARK: One receiver

    private func changeAll(_ change: @escaping @Sendable (inout LeaseLane) -> Void) {
        state.post { [self] state in
            for receiver in state.lanes.indices {
                change(&state.lanes[receiver])
                proceed(receiver, &state)
            }
        }
    }

    private func change(_ receiver: Int, _ change: @escaping @Sendable (inout LeaseLane) -> Void) {
        state.post { [self] state in
            change(&state.lanes[receiver])
            proceed(receiver, &state)
        }
    }

    private func proceed(_ receiver: Int, _ state: inout State) {
        let now = now()
        switch state.lanes[receiver].next(at: now) {
        case .rest: break
        case .wait(let time): wake(receiver, at: time, &state)
        case .lease(let limit):
            state.lease(receiver, limit, now) { [self] result in
                self.state.post { [self] state in
                    switch result {
                    case .success(let leased):
                        state.lanes[receiver].leased(leased.jobs.count, next: leased.nextDue)
                        for job in leased.jobs { state.send(job, receiver) }
                    case .failure: state.lanes[receiver].storeFailed(at: self.now())
                    }
                    proceed(receiver, &state)
                }
            }
        }
    }

    private func wake(_ receiver: Int, at time: Timestamp, _ state: inout State) {
        if let known = state.wakesAt[receiver], known <= time { return }
        state.wakesAt[receiver] = time
        let delay = max(0, Int((time - now()).milliseconds)) + 1
        queue.asyncAfter(deadline: .now() + .milliseconds(delay)) { [weak self] in
            guard let self else { return }
            self.state.withState { state in
                guard state.wakesAt[receiver] == time else { return }
                state.wakesAt[receiver] = nil
                state.lanes[receiver].expect(now())
                proceed(receiver, &state)
            }
        }
    }
}
