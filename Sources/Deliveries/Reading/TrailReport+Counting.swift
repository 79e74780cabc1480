import Inbox
import Push
import Store

/// Counts an event's recipients.
extension TrailReport.Summary {
    mutating func count(_ verdict: TrailVerdicts.Verdict) {
        people += 1
        if verdict.isLive { live += 1 }
        switch verdict.decision {
        case .created(let push):
            created += 1
            count(push)
        case .grew(let push):
            grown += 1
            count(push)
        case .pushOnly(let push):
            switch push {
            case .queued: created += 1
            case .batched: grown += 1
            case .never, .preferenceOff, .noDevice, .expired: suppressed += 1
            }
            count(push)
        case .isActor, .unrouted, .muted, .preferenceOff:
            suppressed += 1
        }
    }

    private mutating func count(_ push: PushDecision) {
        if case .queued(let devices, _, _) = push { pushes.queued += devices }
    }

    mutating func count(_ recipient: TrailedRecipient, _ failures: inout [TrailReport.Failure]) {
        switch recipient.state {
        case .read: read += 1
        case .seen: seen += 1
        case .unseen, .gone, nil: break
        }
        pushes.waiting += recipient.waiting.count
        var isAcknowledged = false
        for step in recipient.steps {
            switch step.step {
            case .sent, .folded: pushes.sent += 1
            case .cancelled(let cause):
                pushes.cancelled += 1
                if cause == .acknowledged { isAcknowledged = true }
            case .refused(let reason):
                pushes.refused += 1
                Self.note(reason, step.provider, in: &failures)
            case .deviceGone: pushes.gone += 1
            case .expired: pushes.expired += 1
            case .dropped: pushes.dropped += 1
            // The first try stays counted as it ended.
            case .retried(let retry): if retry == .accepted { pushes.sent += 1 }
            case .withdrawn, .putOff, .answered, .activity, .patched, .retracted, .shrunk: break
            }
        }
        if isAcknowledged { acknowledged += 1 }
    }

    private static func note(_ reason: String, _ provider: Device.Provider?, in failures: inout [TrailReport.Failure]) {
        if let place = failures.firstIndex(where: { $0.provider == provider && $0.reason == reason }) {
            failures[place].count += 1
        } else {
            failures.append(TrailReport.Failure(provider: provider, reason: reason, count: 1))
        }
    }
}
