import Inbox
import Store
import Tracing

/// Traced notifications that one shard's sessions were told of, until somebody acknowledges them. A shard's own.
final class LiveTraces {
    /// How many people are remembered, and notifications of each.
    private static let (people, perPerson) = (1_024, 64)

    private struct Told {
        let notification: NotificationID
        let trace: TraceID
        let seq: Int64
        let at: Int64
    }

    private let tracer: Tracer
    private var told = RecentCache<UserID, [Told]>(capacity: people)

    /// Nil without traces.
    init?(_ tracer: Tracer?) {
        guard let tracer else { return nil }
        self.tracer = tracer
    }

    /// Records that a session was told of a change.
    func told(_ change: InboxChange, to user: UserID) {
        let notification: NotificationID
        switch change.kind {
        case .new(let told), .update(let told): notification = told.id
        case .read, .seen, .removed: return
        }
        guard let trace = tracer.trace(of: notification) else { return }
        let now = SpanTime.now
        tracer.record(tracer.step("live", .producer, of: notification, in: trace, start: now, end: now))
        var waiting = told.value(for: user) ?? []
        if waiting.count >= Self.perPerson { waiting.removeFirst() }
        waiting.append(Told(notification: notification, trace: trace, seq: change.stamp.seq, at: now))
        told.keep(waiting, for: user)
    }

    /// Records that an attentive session has shown everything up to a change.
    func acknowledged(upTo seq: Int64, by user: UserID) {
        guard let waiting = told.value(for: user), waiting.contains(where: { $0.seq <= seq }) else { return }
        let now = SpanTime.now
        for told in waiting where told.seq <= seq {
            var span = tracer.step("ack", .consumer, of: told.notification, in: told.trace, start: told.at, end: now)
            span.attributes += [
                ("messaging.operation.name", .text("ack")), ("messaging.operation.type", .text("settle")),
            ]
            tracer.record(span)
        }
        told.keep(waiting.filter { $0.seq > seq }, for: user)
    }
}
