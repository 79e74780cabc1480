import Inbox
import Logging
import Storage
import Synchronization

/// Tells operators what went wrong in the store: the first failure of a kind at once, those that follow once a minute with
/// their number. A full disk fails every publish, and would fill the log's disk as well.
final class StoreFailures: Sendable {
    private let metrics: Metrics
    private let logger: Logger
    private let now: @Sendable () -> Timestamp
    private let log = Mutex(RefusalLog())

    init(metrics: Metrics, logger: Logger, now: @escaping @Sendable () -> Timestamp) {
        self.metrics = metrics
        self.logger = logger
        self.now = now
    }

    /// From any thread. All but failures of the database are answers, and no news.
    func note(_ error: StoreError) {
        let reason: String
        switch error {
        // Whoever finds the damage tells of it once and for all.
        case .damaged: return metrics.storeFailures.add()
        case .diskFull: reason = "there is no room left on the disk of the data folder"
        case .failed(let code, let message): reason = "SQLite error \(code), \(message)"
        case .keyReused, .overloaded, .closed, .tooManyDevices: return
        }
        metrics.storeFailures.add()
        let report = log.withLock { $0.note(reason, at: now()).report }
        guard let report else { return }
        logger.error("the store failed", metadata: ["reason": "\(report.reason)", "times": "\(report.count)"])
    }
}
