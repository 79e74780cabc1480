package import Inbox

/// A stored webhook, handed out to be sent.
package struct Webhook: Sendable, Hashable {
    /// The same for each try: the receiver knows a repetition by it.
    package let id: String
    /// How many tries have failed.
    package let failures: Int
    /// The JSON to send.
    package let body: [UInt8]

    package init(id: String, failures: Int, body: [UInt8]) {
        (self.id, self.failures, self.body) = (id, failures, body)
    }
}

/// Webhooks of one endpoint, handed out together.
package struct LeasedWebhooks: Sendable, Hashable {
    package let webhooks: [Webhook]
    /// When the next one is due, those included that were just handed out; nil without any.
    package let nextDue: Timestamp?

    package init(webhooks: [Webhook], nextDue: Timestamp?) { (self.webhooks, self.nextDue) = (webhooks, nextDue) }
}

/// What became of one try.
package enum WebhookOutcome: Sendable, Hashable {
    /// The endpoint has it: its row goes.
    case delivered(id: String)
    case putOff(id: String, until: Timestamp, failures: Int, reason: String)
    /// It is not tried again by itself: a dead letter.
    case buried(id: String, at: Timestamp, failures: Int, reason: String)

    /// The same by a clock that was set by `span` since.
    package func moved(by span: Duration) -> Self {
        guard case .putOff(let id, let time, let failures, let reason) = self else { return self }
        return .putOff(id: id, until: time + span, failures: failures, reason: reason)
    }
}

/// A webhook that was given up.
package struct DeadLetter: Sendable, Hashable {
    package let id: String
    package let buriedAt: Timestamp
    package let failures: Int
    /// Why the last try failed.
    package let reason: String
    package let body: [UInt8]

    package init(id: String, buriedAt: Timestamp, failures: Int, reason: String, body: [UInt8]) {
        (self.id, self.buriedAt, self.failures, self.reason, self.body) = (id, buriedAt, failures, reason, body)
    }
}

/// How many webhooks of an endpoint are stored.
package struct WebhookCount: Sendable, Hashable {
    package var waiting: Int64 = 0
    package var dead: Int64 = 0

    package init(waiting: Int64 = 0, dead: Int64 = 0) { (self.waiting, self.dead) = (waiting, dead) }
}
