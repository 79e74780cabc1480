import Inbox
import Logging
import Storage
import Synchronization

/// Tells operators what went wrong in the store: the first failure of a kind at once, those that follow once a minute
/// with their number. A full disk fails every publish, and would fill the log's disk as well.
package final class StoreFailures: Sendable {
    private let metrics: Metrics
    private let logger: Logger
    private let now: @Sendable () -> Timestamp
    private let log = Mutex(RefusalLog())
    /// Why the store takes in nothing; nil while it does, as far as known.
    private let outage = Mutex<String?>(nil)
    /// The same at one look, for each commit.
    private let isOut = Atomic(false)

    init(metrics: Metrics, logger: Logger, now: @escaping @Sendable () -> Timestamp) {
        self.metrics = metrics
        self.logger = logger
        self.now = now
    }

    /// Why the store takes in nothing, in words for operators; nil while it does, as far as known. From any thread.
    var outageWords: String? { outage.withLock { $0 } }

    /// Something is on the disk again. From any thread.
    func committed() {
        guard isOut.load(ordering: .relaxed) else { return }
        isOut.store(false, ordering: .relaxed)
        outage.withLock { $0 = nil }
        logger.notice("the store accepts writes again")
    }

    /// From any thread. All but failures of the database are answers, and no news.
    func note(_ error: StoreError) {
        // Whoever finds the damage tells of it once and for all.
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
