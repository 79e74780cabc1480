import Inbox
import Store

extension TrailRecorder {
    /// The gathered decisions about traced notifications.
    ///
    /// - Parameter isTraced: asked for each notification, with the event that made it or added to it.
    func traced(_ isTraced: StoreOptions.TraceRule) -> [TracedStep] {
        var traced: [TracedStep] = []
        for gathering in gatherings {
            for group in gathering.verdicts.groups where group.verdict.hasNotification {
                let verdict = group.verdict
                let kind = TracedStep.Kind.decided(
                    verdict.decision, event: gathering.event, type: verdict.type, isLive: verdict.isLive)
                for recipient in group.recipients.recipients ?? [] {
                    guard let number = recipient.notification else { continue }
                    let notification = NotificationID(inbox: recipient.inbox, sequence: number)
                    guard isTraced(gathering.event, notification) else { continue }
                    traced.append(TracedStep(kind, of: notification, at: gathering.head?.acceptedAt))
                }
            }
        }
        for step in steps {
            let notification = NotificationID(inbox: step.inbox, sequence: step.notification)
            guard isTraced(nil, notification) else { continue }
            traced.append(TracedStep(.stepped(step.step, step.provider), of: notification, at: step.at))
        }
        return traced
    }
}
