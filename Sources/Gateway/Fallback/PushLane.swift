import Dispatch
import Inbox
import Logging
import Push
import Storage
import Transport

/// One provider's way: takes its due jobs from the store, has them sent, and puts what became of them back, as the
/// ``LaneMachine`` says; on a queue of its own, so that a slow provider delays neither live delivery nor another provider.
final class PushLane: Sendable {
    /// A job that the store handed out.
    private struct Leased {
        let job: PushJob
        let until: Timestamp
    }

    /// What became of a job, which the store is still to take in.
    private struct Outcome {
        let job: PushJob
        let action: PushAction
        let attempt: PushAttempt
        let until: Timestamp
    }

    private struct State {
        var machine: LaneMachine
        var atHand: ArraySlice<Leased> = []
        var unsettled: [Outcome] = []
        var reports: LaneReports
        var isStopped = false
        /// As the machine wants it.
        var wakeAt: Timestamp?
        /// As the timer is set.
        var timerAt: Timestamp?
        let timer: any DispatchSourceTimer
    }

    private let provider: Device.Provider
    private let sender: (any PushSender)?
    private let store: any PushQueue
    private let limits: LaneMachine.Limits
    private let all: Metrics
    private let metrics: PushMetrics
    private let logger: Logger
    private let now: @Sendable () -> Timestamp
    private let state: QueueBound<State>

    /// - Parameter sender: nil for a provider that nobody configured.
    init(
        _ provider: Device.Provider, store: any PushQueue, sender: (any PushSender)?, limits: LaneMachine.Limits,
        metrics: Metrics, logger: Logger, now: @escaping @Sendable () -> Timestamp
    ) {
        self.provider = provider
        self.sender = sender
        self.store = store
        self.limits = limits
        all = metrics
        self.metrics = metrics.pushes(of: provider)
        var logger = logger
        logger[metadataKey: "provider"] = "\(provider.rawValue)"
        self.logger = logger
        self.now = now
        let queue = DispatchQueue(label: "belfry.push.\(provider.rawValue)")
        state = QueueBound(
            State(
                machine: LaneMachine(limits), reports: LaneReports(logger: logger, metrics: self.metrics),
                timer: DispatchSource.makeTimerSource(queue: queue)), on: queue)
        // Here and not at the start, which may never come: a source that was never active must not be released.
        state.post { [weak self] state in
            state.timer.setEventHandler { self?.wake() }
            state.timer.activate()
        }
    }

    /// A job was made that is due then. From any thread.
    func expect(_ due: Timestamp) {
        state.post { [self] state in
            state.machine.expect(due)
            proceed(&state)
        }
    }

    /// Begins nothing more; what is under way is settled, or leased out again by the next process.
    func stop() {
        state.post { [self] state in
            guard !state.isStopped else { return }
            state.isStopped = true
            state.machine.stop()
            state.atHand = []
            state.timer.cancel()
            // Nobody comes back to it.
            settleRest(&state)
        }
    }

    func status(completion: @escaping @Sendable (LaneStatus) -> Void) {
        state.post { [self] state in
            let machine = state.machine
            completion(
                LaneStatus(
                    provider: provider, isConfigured: sender != nil, window: machine.window.size,
                    underWay: machine.underWay, atHand: machine.atHand, settling: machine.settling,
                    gate: machine.gate.state, lastJudged: machine.gate.lastJudged,
                    refusals: state.reports.refusals.entries))
        }
    }

    // MARK: The machine's decisions

    private func wake() {
        state.withState { state in
            state.timerAt = nil
            state.wakeAt = nil
            state.machine.woke()
            proceed(&state)
        }
    }

    private func proceed(_ state: inout State) {
        guard !state.isStopped else { return }
        while let action = state.machine.next(at: now()) {
            switch action {
            case .lease(let limit): lease(limit)
            case .send(let ticket): if let leased = state.atHand.popFirst() { send(leased, ticket) }
            case .release(let count): for _ in 0..<count { if let leased = state.atHand.popFirst() { release(leased) } }
            case .settleAgain: settleAgain(&state)
            case .wake(let time): state.wakeAt = time
            }
        }
        state.reports.tell(state.machine, at: now())
        setTimer(&state)
    }

    private func setTimer(_ state: inout State) {
        guard let time = [state.wakeAt, state.reports.nextReport].compactMap(\.self).min() else { return }
        guard time != state.timerAt else { return }
        state.timerAt = time
        let delay = max(time - now(), .zero)
        state.timer.schedule(deadline: .now() + .milliseconds(Int(delay.milliseconds)), leeway: .milliseconds(1))
    }

    private func lease(_ limit: Int) {
        let now = now()
        let end = now + limits.lease
        store.leasePushJobs(limit, for: provider, at: now, until: end) { [self] result in
            state.post { [self] state in leased(result, until: end, &state) }
        }
    }

    private func leased(_ result: Result<LeasedPushJobs, StoreError>, until end: Timestamp, _ state: inout State) {
        guard !state.isStopped else { return }
        switch result {
        case .failure(let error):
            logger.error("push jobs could not be read", metadata: ["error": "\(error)"])
            state.machine.leaseFailed(at: now())
        case .success(let leased):
            for job in leased.jobs { state.atHand.append(Leased(job: job, until: end)) }
            state.machine.leased(leased.jobs.count, nextDue: leased.nextDue, at: now())
        }
        proceed(&state)
    }

    /// The job was not tried: it goes back as it came.
    private func release(_ leased: Leased) {
        store.settle(leased.job, as: .retry(at: now()), attempt: leased.job.attempt, at: now()) { [logger] result in
            // Its lease runs out, and it is handed out again.
            if case .failure(let error) = result {
                logger.debug("a push could not be given back", metadata: ["error": "\(error)"])
            }
        }
    }

    // MARK: One push

    private func send(_ leased: Leased, _ ticket: LaneTicket) {
        all.pushesInFlight.add(1)
        guard let sender else {
            return answered(leased, ticket, .refused(reason: "\(provider.rawValue) is not configured"))
        }
        let began = ContinuousClock.now
        sender.send(leased.job.message, to: leased.job.device, at: ticket.sentAt) { [self] verdict in
            metrics.latency.record(ContinuousClock.now - began)
            answered(leased, ticket, verdict)
        }
    }

    private func answered(_ leased: Leased, _ ticket: LaneTicket, _ verdict: Verdict) {
        metrics.count(verdict)
        state.post { [self] state in
            let (job, now) = (leased.job, now())
            var attempt = job.attempt
            let action = attempt.settle(verdict, at: now, jitter: .random(in: 0..<1), device: job.device)
            state.reports.note(verdict, action, of: job, at: now)
            state.machine.answered(ticket, LaneAnswer(verdict), at: now, jitter: .random(in: 0..<1))
            settle(Outcome(job: job, action: action, attempt: attempt, until: leased.until))
            proceed(&state)
        }
    }

    private func settle(_ outcome: Outcome) {
        store.settle(outcome.job, as: outcome.action, attempt: outcome.attempt, at: now()) { [self] result in
            state.post { [self] state in
                if case .failure(let error) = result {
                    logger.error(
                        "a push could not be settled",
                        metadata: ["notification": "\(outcome.job.message.collapseID)", "error": "\(error)"])
                    if error != .closed && !state.isStopped {
                        state.unsettled.append(outcome)
                        state.machine.settleFailed(at: now())
                        return proceed(&state)
                    }
                }
                settleRest(&state)
                settled(outcome, &state)
                proceed(&state)
            }
        }
    }

    /// One of them shows whether the store works again; at its success the others follow.
    private func settleAgain(_ state: inout State) {
        if !state.unsettled.isEmpty { settle(state.unsettled.removeFirst()) }
    }

    /// However late: a lease ends no sooner than the lane asks for jobs again, and until then it asks for none.
    private func settleRest(_ state: inout State) {
        let outcomes = state.unsettled
        state.unsettled = []
        for outcome in outcomes { settle(outcome) }
    }

    private func settled(_ outcome: Outcome, _ state: inout State) {
        all.pushesInFlight.add(-1)
        state.machine.settled(at: now())
        if case .retry(let due) = outcome.action { state.machine.expect(due) }
    }
}
