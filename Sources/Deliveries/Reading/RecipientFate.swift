import Inbox
import Push
import Store

/// Tells what became of one person's notification.
struct RecipientFate {
    let reads: any TrailReads

    /// - Parameter start: the time from which steps are told.
    func recipient(_ person: TrailedPerson, since start: Timestamp) throws -> TrailedRecipient {
        let user = try person.stranger ?? person.inbox.flatMap { try reads.user(ofInbox: $0) }
        var recipient = TrailedRecipient(
            user: user, decision: person.verdict.decision, type: person.verdict.type, wasLive: person.verdict.isLive,
            notification: person.inbox.flatMap { inbox in
                person.notification.map { NotificationID(inbox: inbox, sequence: $0) }
            })
        guard let id = recipient.notification else { return recipient }
        // A push-only notification is never read.
        if !PushOnlyNumber.isOne(id.sequence) { recipient.state = try reads.state(of: id) }
        recipient.steps = try reads.steps(of: id, since: start)
        // An engine gives those of one moment in any order.
        recipient.waiting = try reads.waiting(id).sorted { one, other in
            (one.due, one.device, one.provider.name) < (other.due, other.device, other.provider.name)
        }
        let sent = try reads.sent(id).filter { $0.at >= start }
        recipient.steps += sent.sorted { one, other in
            (one.device ?? "", one.provider?.name ?? "") < (other.device ?? "", other.provider?.name ?? "")
        }
        // Some rows tell two steps, so steps are sorted by time; steps of one moment keep their order.
        recipient.steps.sort { $0.at < $1.at }
        return recipient
    }
}
