import Dispatch
package import Inbox
package import Logging
package import Push
package import Storage
import Transport

/// Takes due push jobs from the store, has them sent, and puts what became of them back; on a queue of its own, so that
/// a slow provider delays no live delivery.
package final class PushDispatcher: Sendable {
    package struct Options: Sendable {
        /// So many pushes are under way at most.
        package var concurrency: Int
        /// How long a job is ours; a node that dies meanwhile leaves it to be handed out again.
        package var lease: Duration

        package init(concurrency: Int = 200, lease: Duration = .seconds(60)) {
            self.concurrency = concurrency
            self.lease = lease
        }
    }

    private struct State {
        var inFlight = 0
        var isLeasing = false
        /// Something became due while a lease was being asked for.
        var mustLookAgain = false
        var wakeAt: Timestamp?
        var isStopped = false
        let timer: any DispatchSourceTimer
    }

    private let store: any Store
    private let senders: [Device.Provider: any PushSender]
    private let options: Options
    private let metrics: Metrics
    private let logger: Logger
    private let now: @Sendable () -> Timestamp
    private let state: QueueBound<State>

    package init(
        store: any Store, senders: [Device.Provider: any PushSender], options: Options, metrics: Metrics,
        logger: Logger, now: @escaping @Sendable () -> Timestamp
    ) {
        self.store = store
        self.senders = senders
        self.options = options
        self.metrics = metrics
        self.logger = logger
        self.now = now
        let queue = DispatchQueue(label: "belfry.push")
        state = QueueBound(State(timer: DispatchSource.makeTimerSource(queue: queue)), on: queue)
        // Here and not at the start, which may never come: a source that was never active must not be released.
        state.post { [weak self] state in
            state.timer.setEventHandler { self?.lookForWork() }
            state.timer.activate()
        }
    }

    /// Begins with what an earlier process left.
    package func start() {
        state.post { [self] state in lease(&state) }
    }

    /// A job was made that is due then. From any thread.
    package func expect(_ due: Timestamp) {
        state.post { [self] state in wake(&state, at: due) }
    }

    /// Hands out nothing more; what is under way is settled, or leased out again by the next process.
    package func stop() {
        state.post { state in
            guard !state.isStopped else { return }
            state.isStopped = true
            state.timer.cancel()
        }
    }

    private func lookForWork() {
        state.withState { state in
            state.wakeAt = nil
            lease(&state)
        }
    }

    private func wake(_ state: inout State, at due: Timestamp) {
        guard !state.isStopped else { return }
        if state.isLeasing { state.mustLookAgain = true }
        if let planned = state.wakeAt, planned <= due { return }
        state.wakeAt = due
        let delay = max(due - now(), .zero)
        state.timer.schedule(deadline: .now() + .milliseconds(Int(delay.milliseconds)), leeway: .milliseconds(1))
    }

    private func lease(_ state: inout State) {
        let free = options.concurrency - state.inFlight
        guard !state.isStopped, !state.isLeasing, free > 0 else { return }
        state.isLeasing = true
        state.mustLookAgain = false
        let now = now()
        store.leasePushJobs(free, at: now, until: now + options.lease) { [self] result in
            self.state.post { self.leased(result, &$0) }
        }
    }

    private func leased(_ result: Result<LeasedPushJobs, StoreError>, _ state: inout State) {
        state.isLeasing = false
        guard !state.isStopped else { return }
        switch result {
        case .failure(let error):
            logger.error("push jobs could not be read", metadata: ["error": "\(error)"])
            wake(&state, at: now() + .seconds(1))
        case .success(let leased):
            for job in leased.jobs { attempt(job, &state) }
            if let next = leased.nextDue { wake(&state, at: next) }
            if state.mustLookAgain { lease(&state) }
        }
    }

    private func attempt(_ job: PushJob, _ state: inout State) {
        state.inFlight += 1
        metrics.pushesInFlight.add(1)
        guard let sender = senders[job.device.provider] else {
            return settle(job, .refused(reason: "\(job.device.provider.rawValue) is not configured"))
        }
        sender.send(job, at: now()) { [self] verdict in settle(job, verdict) }
    }

    private func settle(_ job: PushJob, _ verdict: Verdict) {
        metrics.countPush(verdict)
        var attempt = job.attempt
        let action = attempt.settle(verdict, at: now(), jitter: .random(in: 0..<1), device: job.device)
        report(action, of: job)
        store.settle(job, as: action, attempt: attempt) { [self] result in
            if case .failure(let error) = result {
                // The lease runs out and the job is handed out again, with the same collapse id.
                logger.error("a push could not be settled", metadata: ["job": "\(job.id)", "error": "\(error)"])
            }
            state.post { state in
                state.inFlight -= 1
                self.metrics.pushesInFlight.add(-1)
                if case .retry(let due) = action { self.wake(&state, at: due) }
                self.lease(&state)
            }
        }
    }

    private func report(_ action: PushAction, of job: PushJob) {
        let metadata: Logger.Metadata = [
            "job": "\(job.id)", "notification": "\(job.notification.text)",
            "provider": "\(job.device.provider.rawValue)",
        ]
        switch action {
        case .finish: logger.debug("push accepted", metadata: metadata)
        case .forgetDevice: logger.info("device forgotten: its provider says it is gone", metadata: metadata)
        case .retry: logger.info("push will be tried again", metadata: metadata)
        case .abandon(let reason):
            logger.error("push abandoned", metadata: metadata.merging(["reason": "\(reason)"]) { $1 })
        }
    }
}
