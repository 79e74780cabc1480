package import Inbox
package import Push

extension PushSettling {
    /// Notes a push's outcome for each of its notifications. A gone device is noted when it is forgotten.
    package func note(_ action: PushAction, of job: PushJob, attempt: PushAttempt) {
        switch action {
        case .finish: note(.sent, of: job)
        case .abandon(PushAction.expired): note(.expired, of: job)
        case .abandon(let reason): note(.refused(reason: reason), of: job)
        case .retry(let due):
            // Without a verdict, the push was given back untried.
            if let verdict = attempt.lastVerdict { note(.putOff(until: due, Self.delay(verdict)), of: job) }
        case .forgetDevice: break
        }
    }

    /// Tells endpoints a push's last verdict. A gone device is told when it is forgotten.
    package func tellWebhooks(of action: PushAction, of job: PushJob) {
        switch action {
        case .finish: open.tellWebhooks(ofVerdict: "sent", job, at: now)
        case .abandon(PushAction.expired): open.tellWebhooks(ofVerdict: "expired", job, at: now)
        case .abandon(let reason): open.tellWebhooks(ofVerdict: "refused", reason: reason, job, at: now)
        case .retry, .forgetDevice: break
        }
    }

    package func note(_ step: TrailStep, of job: PushJob) {
        let notifications = job.parts.compactMap(\.notification)
        // A push that only sets a number has no notification.
        guard let newest = notifications.last else { return }
        open.trail.note(step, of: newest.sequence, inbox: newest.inbox, on: job.device, at: now)
        for part in notifications.dropLast() {
            open.trail.note(
                step == .sent ? .folded(into: newest.sequence) : step, of: part.sequence, inbox: part.inbox,
                on: job.device, at: now)
        }
    }

    private static func delay(_ verdict: Verdict) -> TrailStep.Delay {
        switch verdict {
        case .busy(_, .provider, _): .provider
        case .deviceGone: .tokenLost
        case .busy(_, .device, _), .accepted, .refused: .device
        }
    }
}
