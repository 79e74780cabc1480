import Inbox
import Logging
import Store
import Synchronization

/// Reports the store's failures to operators: the first of a kind at once, later ones once a minute with their number.
/// A full disk fails every publish, and would fill the log's disk as well.
package final class StoreFailures: Sendable {
    private let metrics: Metrics
    private let logger: Logger
    private let now: @Sendable () -> Timestamp
    private let log = Mutex(RefusalLog())
    /// Why the store takes no writes; nil while it does, as far as known.
    private let outage = Mutex<String?>(nil)
    /// The same as a flag, which every commit checks.
    private let isOut = Atomic(false)

    init(metrics: Metrics, logger: Logger, now: @escaping @Sendable () -> Timestamp) {
        self.metrics = metrics
        self.logger = logger
        self.now = now
    }

    /// Why the store takes no writes, in words for operators; nil while it does, as far as known. From any thread.
    var outageWords: String? { outage.withLock { $0 } }

    /// Notes that a commit is on the disk. From any thread.
    func committed() {
        guard isOut.load(ordering: .relaxed) else { return }
        isOut.store(false, ordering: .relaxed)
        outage.withLock { $0 = nil }
        logger.notice("the store accepts writes again")
    }

    /// Notes a failure. From any thread. All but failures of the database are ordinary answers, and not reported.
    func note(_ error: StoreError) {
        // Damage is reported once, where it is found.
        if error == .damaged { return metrics.storeFailures.add() }
        guard let reason = error.words else { return }
        if error.isOutage {
            outage.withLock { $0 = reason }
            isOut.store(true, ordering: .relaxed)
        }
        metrics.storeFailures.add()
        let report = log.withLock { $0.note(reason, at: now()).report }
        guard let report else { return }
        logger.error("the store failed", metadata: ["reason": "\(report.reason)", "times": "\(report.count)"])
    }
}
