import Inbox
import Push
import Store
import Synchronization

/// A queue of pushes in memory; tells a test what the dispatcher asks of it.
final class PushJobStore: PushQueue {
    enum Event: Sendable {
        case leased(Device.Provider, [Int64])
        case settled(Int64, PushAction)
    }

    private struct State {
        var jobs: [Int64: (job: PushJob, availableAt: Timestamp)] = [:]
        var failures = 0
        var settleFailures = 0
        var answers: [@Sendable () -> Void] = []
        var holdsAnswers = false
    }

    let events: AsyncStream<Event>
    private let report: AsyncStream<Event>.Continuation
    private let state = Mutex(State())
    /// Called as a job is settled, before the dispatcher hears of it.
    private let willSettle: @Sendable (PushAction) -> Void
    private let willFail: @Sendable () -> Void

    init(
        willSettle: @escaping @Sendable (PushAction) -> Void = { _ in },
        willFail: @escaping @Sendable () -> Void = {}
    ) {
        (events, report) = AsyncStream.makeStream()
        self.willSettle = willSettle
        self.willFail = willFail
    }

    /// How many jobs no attempt has been made for.
    var untriedJobs: Int { state.withLock { $0.jobs.values.filter { $0.job.attempt.failures == 0 }.count } }

    /// Waits until the next lease for APNs has been asked for.
    func awaitLease() async {
        for await case .leased(.apns, _) in events { return }
    }

    /// Puts a job into the queue.
    func add(_ job: PushJob, due: Timestamp) { state.withLock { $0.jobs[job.id] = (job, due) } }

    /// The next so many leases for APNs fail.
    func failLeases(_ count: Int) { state.withLock { $0.failures = count } }

    /// The next so many outcomes are not taken in.
    func failSettles(_ count: Int) { state.withLock { $0.settleFailures = count } }

    private func settling() -> Result<Void, StoreError> {
        state.withLock { state in
            guard state.settleFailures > 0 else { return .success(()) }
            state.settleFailures -= 1
            return .failure(.failed(code: 13, message: "database or disk is full"))
        }
    }

    /// Keeps back the answers to leases, whose contents are decided all the same when they are asked for.
    func holdAnswers() { state.withLock { $0.holdsAnswers = true } }

    func releaseAnswers() {
        let answers = state.withLock { state in
            defer { state.answers = [] }
            state.holdsAnswers = false
            return state.answers
        }
        for answer in answers { answer() }
    }

    func leasePushJobs(
        _ limit: Int, for provider: Device.Provider, at now: Timestamp, until leaseEnd: Timestamp,
        completion: @escaping @Sendable (Result<LeasedPushJobs, StoreError>) -> Void
    ) {
        let (result, isHeld) = state.withLock { state in
            let result = Self.lease(limit, for: provider, at: now, until: leaseEnd, &state)
            if state.holdsAnswers { state.answers.append { completion(result) } }
            return (result, state.holdsAnswers)
        }
        if case .failure = result { willFail() }
        // A lease that failed handed out nothing.
        report.yield(.leased(provider, (try? result.get().jobs.map(\.id)) ?? []))
        if !isHeld { completion(result) }
    }

    private static func lease(
        _ limit: Int, for provider: Device.Provider, at now: Timestamp, until leaseEnd: Timestamp,
        _ state: inout State
    ) -> Result<LeasedPushJobs, StoreError> {
        if state.failures > 0 && provider == .apns {
            state.failures -= 1
            return .failure(.failed(code: 5, message: "database is locked"))
        }
        let all = state.jobs.values.filter { $0.job.device.provider == provider }
        let due = all.filter { $0.availableAt <= now }
        let jobs = due.sorted { ($0.availableAt, $0.job.id) < ($1.availableAt, $1.job.id) }.prefix(limit).map(\.job)
        for job in jobs { state.jobs[job.id]?.availableAt = leaseEnd }
        let nextDue = all.map { state.jobs[$0.job.id]?.availableAt ?? leaseEnd }.filter { $0 > now }.min()
        return .success(LeasedPushJobs(jobs: jobs, nextDue: nextDue))
    }

    func settle(
        _ outcomes: [PushOutcome], at now: Timestamp, completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        for outcome in outcomes { willSettle(outcome.action) }
        if case .failure(let error) = settling() { return completion(.failure(error)) }
        state.withLock { state in
            for outcome in outcomes {
                let job = outcome.job
                switch outcome.action {
                case .finish, .forgetDevice, .abandon: state.jobs[job.id] = nil
                case .retry(let due):
                    let next = PushJob(
                        job.parts[0], to: job.target, message: job.message, attempt: outcome.attempt)
                    state.jobs[job.id] = (next, due)
                }
            }
        }
        completion(.success(()))
        for outcome in outcomes { report.yield(.settled(outcome.job.id, outcome.action)) }
    }
}

extension PushJob {
    var id: Int64 { lease }
}
