import Inbox
import Push
import Tracing

extension Tracer {
    /// Records an attempt at a push, in the trace of each notification that it stands for.
    func pushed(_ job: PushJob, _ verdict: Verdict, began: ContinuousClock.Instant) {
        var now: Int64?
        for part in job.parts {
            guard let notification = part.notification, let trace = trace(of: notification) else { continue }
            let end = now ?? SpanTime.now
            now = end
            var span = step(
                "push \(job.device.provider.name)", .client, of: notification, in: trace,
                start: SpanTime.since(began, end), end: end)
            span.attributes += [
                ("messaging.operation.name", .text("push")), ("messaging.operation.type", .text("send")),
                ("belfry.push.provider", .text(job.device.provider.name)),
                ("belfry.push.attempt", .number(Int64(job.attempt.failures + 1))),
                ("belfry.push.verdict", .text(verdict.spanText)),
            ]
            if verdict != .accepted {
                span.hasFailed = true
                span.attributes.append(("error.type", .text(verdict.spanText)))
            }
            record(span)
        }
    }
}

extension Verdict {
    /// Without the provider's own words, which may quote what it was sent.
    fileprivate var spanText: String {
        switch self {
        case .accepted: "accepted"
        case .deviceGone: "device gone"
        case .busy(_, _, nil): "busy"
        case .busy(_, _, _): "no answer"
        case .refused: "refused"
        }
    }
}
