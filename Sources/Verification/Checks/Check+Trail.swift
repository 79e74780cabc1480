/// Idempotency keys, events for many people, and webhooks.
extension Check {
    /// - Parameter keyLifetime: how long a key is remembered.
    static func trail(keyLifetime: Duration) -> [Check] {
        let lifetime = keyLifetime.components.seconds * 1_000
        let isNotWorkedOff = "broadcast.ended_at IS NULL"
        return [
            Check(
                "idempotency keys", "events that hold a key which a later event holds, too",
                """
                SELECT 'event ' || one.event FROM trail_event AS one JOIN trail_event AS other
                    ON other.publisher = one.publisher AND other.key = one.key AND other.page = 0
                    AND other.fingerprint IS NOT NULL AND other.event > one.event
                    AND other.accepted_at < one.accepted_at + \(lifetime)
                WHERE one.page = 0 AND one.fingerprint IS NOT NULL
                """),
            Check(
                "events for many",
                "events for many that have ended and are still to be delivered, or the other way round",
                """
                SELECT 'broadcast ' || broadcast.id FROM broadcast WHERE (ended_at IS NULL) = (json IS NULL)
                """),
            orphans(
                "broadcast_page", without: "event",
                lacks("broadcast", "broadcast.id = broadcast_page.broadcast AND \(isNotWorkedOff)"),
                named: "'broadcast ' || broadcast_page.broadcast"),
            orphans(
                "broadcast_known", without: "event",
                lacks("broadcast", "broadcast.id = broadcast_known.broadcast AND \(isNotWorkedOff)"),
                named: "'broadcast ' || broadcast_known.broadcast || ', inbox ' || broadcast_known.inbox"),
        ]
    }

    static let webhooks = [
        Check(
            "states of webhooks", "webhooks that are neither to be sent nor dead letters, or both",
            "SELECT 'webhook ' || webhook.id FROM webhook WHERE (due IS NULL) = (buried_at IS NULL)",
            mends: [
                "UPDATE webhook SET due = 0 WHERE due IS NULL AND buried_at IS NULL",
                "UPDATE webhook SET buried_at = NULL WHERE due IS NOT NULL AND buried_at IS NOT NULL",
            ]),
        orphans(
            "webhook", without: "inbox", lacks("inbox", "inbox.id = webhook.inbox"), named: "'webhook ' || webhook.id"),
    ]
}
