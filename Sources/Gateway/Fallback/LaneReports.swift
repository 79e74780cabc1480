import Inbox
import Logging
import Push

/// Reports one lane to operators: log lines and counts.
struct LaneReports {
    private let provider: Device.Provider
    private let logger: Logger
    private let metrics: PushMetrics
    private(set) var refusals = RefusalLog()
    private(set) var failures = FailureLog()
    /// Whether a pause was logged last.
    private var wasPaused = false

    init(_ provider: Device.Provider, logger: Logger, metrics: PushMetrics) {
        self.provider = provider
        self.logger = logger
        self.metrics = metrics
    }

    /// When the next report is due by itself; nil if none is.
    var nextReport: Timestamp? { refusals.nextReport }

    /// Notes the outcome of a push.
    mutating func note(_ verdict: Verdict, _ action: PushAction, of job: PushJob, at now: Timestamp) {
        note(verdict, at: now)
        metrics.failures.note(verdict, action, of: job, at: now)
        if case .refused(let reason) = verdict {
            let noted = refusals.note(reason, at: now)
            metrics.countRefusal(noted.reason)
            if let report = noted.report { alarm(report) }
            return
        }
        // Made only if it is written: most servers do not log accepted pushes.
        func metadata() -> Logger.Metadata {
            .about(job.user.app, ["notification": "\(job.message.collapseID)"])
        }
        switch action {
        case .finish: logger.debug("push accepted", metadata: metadata())
        case .forgetDevice: logger.info("device forgotten: its provider says it is gone", metadata: metadata())
        case .retry: logger.debug("push will be tried again", metadata: metadata())
        case .abandon(let reason):
            metrics.expired.add()
            logger.info("push abandoned", metadata: metadata().merging(["reason": "\(reason)"]) { $1 })
        }
    }

    /// Notes whether the provider replied, and if not, why.
    private mutating func note(_ verdict: Verdict, at now: Timestamp) {
        switch verdict {
        case .accepted, .deviceGone, .busy(_, _, nil), .refused: failures.answered()
        case .busy(_, let scope, let cause?):
            guard failures.failed(cause, scope: scope, at: now) else { return }
            if cause.obstacle == .refusedKey {
                // Only an operator can end this.
                logger.error(
                    "\(provider.manual.title) does not accept this server's key; its pushes wait",
                    metadata: ["reason": "\(cause.reason)"])
                return
            }
            logger.warning("pushes fail; they are tried again", metadata: ["reason": "\(cause.reason)"])
        }
    }

    /// Makes the reports that are due.
    mutating func tell(_ machine: LaneMachine, at now: Timestamp) {
        for report in refusals.reports(at: now) { alarm(report) }
        tell(machine.gate.state)
        metrics.window.set(machine.window.size)
        metrics.underWay.set(machine.underWay)
    }

    private func alarm(_ report: RefusalLog.Report) {
        logger.error(
            "pushes refused; they are not tried again",
            metadata: ["reason": "\(report.reason)", "count": "\(report.count)"])
    }

    private mutating func tell(_ gate: LaneGate.State) {
        switch gate {
        case .paused(_, let until):
            guard !wasPaused else { return }
            wasPaused = true
            metrics.isPaused.set(1)
            var metadata: Logger.Metadata = ["until": "\(until.iso8601)"]
            metadata["reason"] = failures.current.map { "\($0)" }
            logger.warning("\(provider.manual.title) fails; its pushes wait", metadata: metadata)
        case .open, .opening:
            guard wasPaused else { return }
            wasPaused = false
            metrics.isPaused.set(0)
            logger.notice("\(provider.manual.title) answers again")
        case .probing: break
        }
    }
}
