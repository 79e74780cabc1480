import Dispatch
import Inbox
import Logging
import Push
import Store
import Transport

/// One provider's lane: takes due jobs from the store, has them sent, and stores their outcomes, as the ``LaneMachine``
/// decides. It runs on its sender's queue, mostly the one on which answers arrive. So no thread waits for another, and
/// no slow provider delays live delivery or another provider.
final class PushLane: Sendable {
    /// The verdict on a job.
    private struct Answer {
        let job: PushJob
        let ticket: LaneTicket
        let verdict: Verdict
    }

    /// Jobs that are sent together.
    private struct Bite {
        /// Small, so that the service works on these while the next requests are written. All these jobs and the octets
        /// of their requests stay in memory until the last one is answered or times out. With payloads of 4 KB, Apple's
        /// limit, one straggler holds 128 KB and the jobs.
        private static let maximum = 32

        private(set) var jobs: [PushJob] = []
        private(set) var tickets: [LaneTicket] = []

        var isFull: Bool { jobs.count == Self.maximum }

        mutating func add(_ job: PushJob, _ ticket: LaneTicket) {
            jobs.append(job)
            tickets.append(ticket)
        }
    }

    private struct State {
        var machine: LaneMachine
        var atHand = JobsAtHand()
        /// Empty between turns; kept for its memory.
        var judged: [Answer] = []
        var batch = OutcomeBatch()
        /// Outcomes that the store did not take.
        var unsettled: [PushOutcome] = []
        var reports: LaneReports
        var isStopped = false
        /// As the machine wants it.
        var wakeAt: Timestamp?
        var alarm = LaneAlarm()
        let timer: any LaneTimer
    }

    private let provider: Device.Provider
    private let sender: (any PushSender)?
    private let store: any PushQueue
    private let limits: LaneMachine.Limits
    private let all: Metrics
    private let metrics: PushMetrics
    private let logger: Logger
    /// Nil without traces.
    private let tracer: Tracer?
    private let now: @Sendable () -> Timestamp
    private let clockMoved: @Sendable () -> Duration
    private let chance: @Sendable () -> Double
    private let state: QueueBound<State>
    private let answers = Gathering<Answer>()

    /// - Parameter sender: nil for a provider that is not configured.
    init(
        _ provider: Device.Provider, store: any PushQueue, sender: (any PushSender)?, limits: LaneMachine.Limits,
        metrics: Metrics, logger: Logger, tracer: Tracer?, now: @escaping @Sendable () -> Timestamp,
        clockMoved: @escaping @Sendable () -> Duration, timer: sending any LaneTimer,
        chance: @escaping @Sendable () -> Double
    ) {
        self.provider = provider
        self.sender = sender
        self.store = store
        self.limits = limits
        all = metrics
        self.metrics = metrics.pushes(of: provider)
        var logger = logger
        logger[metadataKey: "provider"] = "\(provider.name)"
        self.logger = logger
        self.tracer = tracer
        (self.now, self.clockMoved, self.chance) = (now, clockMoved, chance)
        let queue = sender?.laneQueue ?? .dispatch(DispatchQueue(label: "belfry.push.\(provider.name)"))
        state = QueueBound(
            State(
                machine: LaneMachine(limits),
                reports: LaneReports(provider, logger: logger, metrics: self.metrics), timer: timer),
            on: queue)
        state.post { [weak self] state in state.timer.onCall { [weak self] in self?.wake() } }
    }

    /// Notes that a job is due then. From any thread.
    func expect(_ due: Timestamp) {
        state.post { [self] state in
            state.machine.expect(due)
            proceed(&state)
        }
    }

    /// Moves all times, as the clock was set and the store has followed. From any thread.
    func move(by span: Duration) {
        state.post { [self] state in
            state.machine.move(by: span, to: now())
            proceed(&state)
        }
    }

    /// Begins nothing more. Pushes under way are settled, or leased again by the next process.
    func stop() {
        state.post { [self] state in
            guard !state.isStopped else { return }
            state.isStopped = true
            state.machine.stop()
            state.atHand.removeAll()
            state.timer.cancel()
            // Settled now, as there is no later try.
            settleRest(&state)
            if let outcomes = state.batch.takeAll() { settle(outcomes) }
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
                    lastFailure: state.reports.failures.last, refusals: state.reports.refusals.entries))
        }
    }

    // MARK: The machine's decisions

    private func wake() {
        state.post { [self] state in
            state.alarm.called()
            state.wakeAt = nil
            state.machine.woke()
            proceed(&state)
        }
    }

    private func proceed(_ state: inout State) {
        guard !state.isStopped else { return }
        let now = now()
        var bite = Bite()
        while let action = state.machine.next(at: now) {
            switch action {
            case .lease(let limit): lease(limit)
            case .send(let ticket):
                guard let job = state.atHand.popFirst() else { continue }
                bite.add(job, ticket)
                if bite.isFull {
                    send(bite)
                    // Continues behind their departure, which a sender on the same queue has just asked for.
                    return self.state.post { [self] state in proceed(&state) }
                }
            case .release(let count): release(state.atHand.take(count))
            case .settleAgain: settleAgain(&state)
            case .wake(let time): state.wakeAt = time
            }
        }
        send(bite)
        if let outcomes = state.batch.takeDue(underWay: state.machine.underWay, at: now) { settle(outcomes) }
        state.reports.tell(state.machine, at: now)
        setTimer(&state)
    }

    private func setTimer(_ state: inout State) {
        let times = [state.wakeAt, state.reports.nextReport, state.batch.deadline]
        guard let time = times.compactMap(\.self).min() else { return }
        let delay = max(time - now(), .zero)
        if state.alarm.isToBeSet(for: delay, at: state.timer.now) { state.timer.set(after: delay) }
    }

    /// The store itself reports a failing database once a minute; a lane meets the failure every second.
    private static func level(of error: StoreError) -> Logger.Level { error.words == nil ? .error : .debug }

    private func lease(_ limit: Int) {
        let now = now()
        store.leasePushJobs(limit, for: provider, at: now, until: now + limits.lease) { [self] result in
            state.post { [self] state in leased(result, &state) }
        }
    }

    private func leased(_ result: Result<LeasedPushJobs, StoreError>, _ state: inout State) {
        guard !state.isStopped else { return }
        switch result {
        // A damaged store hands out nothing more, and has reported that itself.
        case .failure(.damaged): state.machine.leased(0, nextDue: nil, at: now())
        case .failure(let error):
            logger.log(
                level: Self.level(of: error), "push jobs could not be read", metadata: ["reason": "\(error.reason)"])
            state.machine.leaseFailed(at: now())
        case .success(let leased):
            state.atHand.append(leased.jobs)
            state.machine.leased(leased.jobs.count, nextDue: leased.nextDue, at: now())
        }
        proceed(&state)
    }

    /// Gives back untried jobs unchanged.
    private func release(_ jobs: [PushJob]) {
        let now = now()
        let outcomes = jobs.map { job in
            PushOutcome(job: job, action: .retry(at: now - moved(since: job.attempt)), attempt: job.attempt)
        }
        store.settle(outcomes, at: now) { [logger] result in
            // Their leases end, and they are handed out again.
            if case .failure(let error) = result {
                logger.debug("pushes could not be given back", metadata: ["reason": "\(error.reason)"])
            }
        }
    }

    // MARK: Pushes

    private func send(_ bite: Bite) {
        guard let sentAt = bite.tickets.first?.sentAt else { return }
        all.pushesInFlight.add(bite.jobs.count)
        guard let sender else {
            let verdict = Verdict.refused(reason: "\(provider.name) is not configured")
            for (job, ticket) in zip(bite.jobs, bite.tickets) {
                answered(Answer(job: job, ticket: ticket, verdict: verdict))
            }
            return
        }
        sender.send(bite.jobs, at: sentAt) { [self] index, verdict, began in
            metrics.latency.record(ContinuousClock.now - began)
            tracer?.pushed(bite.jobs[index], verdict, began: began)
            answered(Answer(job: bite.jobs[index], ticket: bite.tickets[index], verdict: verdict))
        }
    }

    private func answered(_ answer: Answer) {
        metrics.count(answer.verdict)
        all.apps?[ofKey: answer.job.user.key].verdicts.count(answer.verdict)
        if answers.add(answer) { state.post { [self] state in judge(&state) } }
    }

    // MARK: What became of them

    private func judge(_ state: inout State) {
        let now = now()
        var judged: [Answer] = []
        swap(&judged, &state.judged)
        answers.takeAll(into: &judged)
        let outcomes = judged.map { answer in
            let job = answer.job
            var attempt = job.attempt
            let (verdict, jitter) = (answer.verdict, jitter(after: answer.verdict))
            let moved = moved(since: attempt)
            let action = attempt.settle(verdict, at: now - moved, jitter: jitter, device: job.target.device)
            state.reports.note(verdict, action.moved(by: moved), of: job, at: now)
            state.machine.answered(answer.ticket, LaneAnswer(verdict), at: now, jitter: jitter)
            return PushOutcome(job: job, action: action, attempt: attempt)
        }
        let accepted = judged.filter { $0.verdict == .accepted && $0.job.message.notification != nil }
        all.seenMeter.pushed(to: accepted.map(\.job.user), at: now)
        judged.removeAll(keepingCapacity: true)
        swap(&judged, &state.judged)
        state.batch.add(outcomes, at: now)
        if state.isStopped, let outcomes = state.batch.takeAll() { settle(outcomes) }
        proceed(&state)
    }

    /// A random number where a wait may follow. Each draw is a system call, and nearly all verdicts are acceptances,
    /// after which nothing waits.
    private func jitter(after verdict: Verdict) -> Double {
        switch verdict {
        case .accepted: 0
        case .deviceGone, .busy, .refused: chance()
        }
    }

    /// By how much the clock was set since a job was handed out.
    private func moved(since attempt: PushAttempt) -> Duration { clockMoved() - attempt.clockMoved }

    private func settle(_ outcomes: [PushOutcome]) {
        store.settle(outcomes, at: now()) { [self] result in
            state.post { [self] state in settled(outcomes, result, &state) }
        }
    }

    private func settled(_ outcomes: [PushOutcome], _ result: Result<Void, StoreError>, _ state: inout State) {
        // The store reports its damage itself.
        if case .failure(let error) = result, error != .damaged {
            logger.log(
                level: Self.level(of: error), "the results of pushes could not be stored",
                metadata: ["count": "\(outcomes.count)", "reason": "\(error.reason)"])
            if error != .closed && !state.isStopped {
                state.unsettled += outcomes
                state.machine.settleFailed(at: now())
                return proceed(&state)
            }
        }
        settleRest(&state)
        all.pushesInFlight.add(-outcomes.count)
        state.machine.settled(outcomes.count, at: now())
        for outcome in outcomes {
            if case .retry(let due) = outcome.action { state.machine.expect(due + moved(since: outcome.attempt)) }
        }
        proceed(&state)
    }

    /// Tries one outcome, to see whether the store works again; once it does, the others follow.
    private func settleAgain(_ state: inout State) {
        if !state.unsettled.isEmpty { settle([state.unsettled.removeFirst()]) }
    }

    /// Settles all others, even late: leases end no sooner than the lane asks for jobs again, and until then it asks
    /// for none.
    private func settleRest(_ state: inout State) {
        let outcomes = state.unsettled
        state.unsettled = []
        // One by one: an outcome that the store cannot take must not hold up the others.
        for outcome in outcomes { settle([outcome]) }
    }
}
