import Deliveries
import Inbox
import Push
import ReferenceStore
import Store

/// A store's queue of pushes, with an eye on what it hands out.
final class WatchedQueue: PushQueue {
    @MainActor
    private final class State {
        let disk: SimulatedDisk
        let ledger: Ledger
        let mistake: Mistake?
        var earlier: [PushJob] = []

        init(_ disk: SimulatedDisk, _ ledger: Ledger, _ mistake: Mistake?) {
            (self.disk, self.ledger, self.mistake) = (disk, ledger, mistake)
        }

        func tell(_ job: PushJob, _ what: @autoclosure () -> String) {
            disk.tell("\(job.message.notification?.text ?? "a number") to \(job.device.token) \(what())")
        }
    }

    private let store: MemoryStore
    private let state: State

    @MainActor
    init(_ store: MemoryStore, _ disk: SimulatedDisk, _ ledger: Ledger, _ mistake: Mistake?) {
        (self.store, state) = (store, State(disk, ledger, mistake))
    }

    func leasePushJobs(
        _ limit: Int, for provider: Device.Provider, at now: Timestamp, until leaseEnd: Timestamp,
        completion: @escaping @Sendable (Result<LeasedPushJobs, StoreError>) -> Void
    ) {
        store.leasePushJobs(limit, for: provider, at: now, until: leaseEnd) { [self] result in
            MainActor.assumeIsolated { completion(result.map(watch)) }
        }
    }

    @MainActor
    private func watch(_ leased: LeasedPushJobs) -> LeasedPushJobs {
        var jobs = leased.jobs
        if state.mistake == .pushAfterReading, let job = state.earlier.first, state.earlier.count > 20 {
            jobs.append(job)
            state.earlier.removeFirst()
        }
        for job in jobs { state.tell(job, "is handed out") }
        if let due = leased.nextDue { state.disk.tell("the next push is due at \(due.milliseconds)") }
        for job in jobs {
            for id in job.parts.compactMap(\.notification) {
                let rows = store.database.state
                let row = rows.notifications[id]
                let isFallback = row.flatMap { rows.contents[$0.record.contentID] }?.content.type == "SAID"
                state.ledger.handedOut(
                    id.text, seq: isFallback ? row?.record.seq : nil, of: job.user.name, at: state.disk.committed)
            }
        }
        if state.mistake != nil { state.earlier += leased.jobs }
        return LeasedPushJobs(jobs: jobs, nextDue: leased.nextDue)
    }

    func settle(
        _ outcomes: [PushOutcome], at now: Timestamp, completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        let outcomes = MainActor.assumeIsolated { outcomes.map(judged) }
        store.settle(outcomes, at: now, completion: completion)
    }

    @MainActor
    private func judged(_ outcome: PushOutcome) -> PushOutcome {
        state.tell(outcome.job, "is settled: \(outcome.action)")
        let ids = outcome.job.parts.compactMap { $0.notification?.text }
        switch outcome.action {
        case .finish: break
        case .forgetDevice, .abandon: state.ledger.refused(ids)
        case .retry:
            state.ledger.note(.retriedPush)
            if state.mistake == .busyIsSent {
                return PushOutcome(job: outcome.job, action: .finish, attempt: outcome.attempt)
            }
        }
        return outcome
    }
}
