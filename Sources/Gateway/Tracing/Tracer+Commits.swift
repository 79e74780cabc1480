import Inbox
import Push
import Store
import Tracing

extension Tracer {
    /// Records the decisions of a commit of this process, and which notifications were read.
    func committed(_ commit: Commit) {
        if !commit.traced.isEmpty {
            let now = SpanTime.now
            for step in commit.traced { record(step, now) }
        }
        for place in commit.inboxes.indices {
            guard case .read(.ids(let ids)) = commit.inboxes[place].change.kind else { continue }
            for id in ids {
                guard let trace = trace(of: id) else { continue }
                let now = SpanTime.now
                record(step("read", .consumer, of: id, in: trace, start: now, end: now))
            }
        }
    }

    private func record(_ step: TracedStep, _ now: Int64) {
        let trace = traces.trace(of: step.notification)
        let start = step.at?.nanoseconds ?? now
        switch step.kind {
        case .decided(let decision, let event, let type, let isLive):
            record(decision, event, type, isLive, of: step.notification, in: trace, start: start, end: now)
        case .stepped(let trailStep, let provider):
            // What a provider has answered is a span of its own, with its time.
            guard let name = trailStep.spanName else { return }
            var span = self.step(name, .internal, of: step.notification, in: trace, start: start, end: now)
            if let provider { span.attributes.append(("belfry.push.provider", .text(provider.name))) }
            if let cause = trailStep.spanCause { span.attributes.append(("belfry.cause", .text(cause))) }
            record(span)
        }
    }

    private func record(
        _ decision: TrailDecision, _ event: String, _ type: String?, _ isLive: Bool, of notification: NotificationID,
        in trace: TraceID, start: Int64, end: Int64
    ) {
        let (name, push) = decision.spanParts
        // The span that made the notification is the trace's first one.
        var span: Span
        if case .grew = decision {
            span = step(name, .producer, of: notification, in: trace, start: start, end: end)
        } else {
            span = Span(
                name, .producer, trace: trace, id: traces.root(of: trace), parent: nil, start: start, end: end)
            span.attributes = Self.attributes(of: notification)
        }
        span.attributes += [
            ("messaging.operation.name", .text(name)), ("belfry.event.id", .text(event)),
            ("belfry.session", .truth(isLive)),
        ]
        if let type { span.attributes.append(("messaging.destination.name", .text(type))) }
        if let push { span.attributes.append(("belfry.push.decision", .text(push.spanText))) }
        if let publication = publication(of: event) { span.links = [publication] }
        record(span)
    }
}

extension TrailDecision {
    fileprivate var spanParts: (name: String, push: PushDecision?) {
        switch self {
        case .created(let push): ("create", push)
        case .grew(let push): ("grow", push)
        case .pushOnly(let push): ("create push only", push)
        case .isActor, .unrouted, .muted, .preferenceOff: ("leave out", nil)
        }
    }
}

extension PushDecision {
    /// In words of the trail, without times.
    fileprivate var spanText: String {
        switch self {
        case .never: "never"
        case .preferenceOff: "preferenceOff"
        case .noDevice: "noDevice"
        case .expired: "expired"
        case .batched: "batched"
        case .queued(_, _, .none): "queued"
        case .queued(_, _, let hold): "queued: \(hold.rawValue)"
        }
    }
}

extension TrailStep {
    /// Nil for what a provider's answer has brought.
    fileprivate var spanName: String? {
        switch self {
        case .cancelled: "cancel push"
        case .dropped: "drop push"
        case .withdrawn: "withdraw push"
        case .folded: "fold push"
        case .putOff(_, .quietHours), .putOff(_, .snooze): "put off push"
        case .putOff(_, .provider), .putOff(_, .device), .putOff(_, .tokenLost): nil
        case .sent, .refused, .deviceGone, .expired: nil
        case .retried: "retry push"
        case .answered: "answer"
        case .activity: "tell activity"
        case .patched: "patch"
        case .retracted: "retract"
        case .shrunk: "shrink"
        }
    }

    fileprivate var spanCause: String? {
        switch self {
        case .cancelled(let cause), .withdrawn(let cause): cause.rawValue
        case .dropped(.muted): "muted"
        case .dropped(.preferenceOff): "preferenceOff"
        case .dropped(.permission): "permission"
        case .putOff(_, let delay): delay.rawValue
        case .activity(let activity): activity.description
        case .sent, .folded, .refused, .deviceGone, .expired, .retried, .answered, .patched, .retracted, .shrunk: nil
        }
    }
}
