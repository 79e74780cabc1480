import Deliveries
import Inbox
import JSON
import Postgres
import Push

/// Writes the decisions of one transaction: a statement for all of a kind.
struct TrailInsertion {
    private let connection: PostgresConnection

    init(_ connection: PostgresConnection) { self.connection = connection }

    func insert(_ recorder: TrailRecorder) throws {
        try insertEvents(recorder.gatherings)
        // An event's first page is not younger than its later ones.
        try insertPages(recorder.gatherings)
        try noteRepeats(recorder.repeats)
        try insertSteps(recorder.steps)
    }

    private func insertEvents(_ gatherings: [TrailRecorder.Gathering]) throws {
        let rows = gatherings.compactMap { row in row.head.map { (row: row, head: $0) } }
        guard !rows.isEmpty else { return }
        var writer = TrailVerdicts.Writer()
        let uses = rows.map(\.row.use)
        try connection.queue(
            """
            INSERT INTO trail_event (
                event, page, publisher, key, type, actor, occurred_at, accepted_at, verdicts, data, fingerprint,
                recipients, created, updated, suppressed
            )
            SELECT event, 0, publisher, key, type, actor, occurred_at, accepted_at, verdicts, data, fingerprint,
                recipients, created, updated, suppressed
            FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) AS new (
                event, publisher, key, type, actor, occurred_at, accepted_at, verdicts, data, fingerprint,
                recipients, created, updated, suppressed
            )
            """,
            [
                .texts(rows.map(\.row.event)), .texts(rows.map(\.head.publisher)), .texts(rows.map(\.head.key)),
                .texts(rows.map(\.head.type)), .texts(rows.map(\.head.actor)),
                .int64s(rows.map { $0.head.occurredAt?.milliseconds }),
                .int64s(rows.map { $0.head.acceptedAt.milliseconds }),
                .byteArrays(rows.map { writer.bytes(of: $0.row.verdicts) }),
                .byteArrays(rows.map { $0.head.data.map { JSONValue.object($0).encoded } }),
                .int64s(uses.map { $0.map { Int64(bitPattern: $0.fingerprint) } }),
                .int64s(uses.map { $0.map { Int64($0.recipients) } }),
                .int64s(uses.map { $0.map { Int64($0.created) } }),
                .int64s(uses.map { $0.map { Int64($0.updated) } }),
                .int64s(uses.map { $0.map { Int64($0.suppressed) } }),
            ])
    }

    /// Writes later pages, each with the head of its event's first page: without that, nothing is written. An event has
    /// one page in a transaction, and its broadcast's lock keeps other nodes from adding one meanwhile.
    private func insertPages(_ gatherings: [TrailRecorder.Gathering]) throws {
        let pages = gatherings.filter { $0.head == nil }
        guard !pages.isEmpty else { return }
        var writer = TrailVerdicts.Writer()
        try connection.queue(
            """
            INSERT INTO trail_event (
                event, page, publisher, key, type, actor, occurred_at, accepted_at, verdicts, data
            )
            SELECT first.event, 1 + (SELECT max(page) FROM trail_event AS known WHERE known.event = first.event),
                publisher, key, type, actor, occurred_at, accepted_at, new.verdicts, data
            FROM unnest($1, $2) AS new (event, verdicts)
            JOIN trail_event AS first ON first.event = new.event AND first.page = 0
            """,
            [.texts(pages.map(\.event)), .byteArrays(pages.map { writer.bytes(of: $0.verdicts) })])
    }

    private func noteRepeats(_ repeats: [(event: String, at: Timestamp)]) throws {
        guard !repeats.isEmpty else { return }
        // An update changes a row once, however often it is named.
        var counts: [String: (count: Int64, last: Timestamp)] = [:]
        for (event, time) in repeats { counts[event] = ((counts[event]?.count ?? 0) + 1, time) }
        // Locked in their order, so that two nodes do not wait for each other.
        let events = counts.keys.sorted()
        try connection.queue(
            "SELECT 1 FROM trail_event WHERE event = ANY($1) AND page = 0 ORDER BY event FOR UPDATE", [.texts(events)])
        try connection.queue(
            """
            UPDATE trail_event SET repeats = repeats + again.count, repeated_at = again.at
            FROM unnest($1, $2, $3) AS again (event, count, at)
            WHERE trail_event.event = again.event AND page = 0
            """,
            [
                .texts(events), .int64s(events.map { counts[$0]?.count }),
                .int64s(events.map { counts[$0]?.last.milliseconds }),
            ])
    }

    private func insertSteps(_ steps: [TrailRecorder.Step]) throws {
        guard !steps.isEmpty else { return }
        let columns = steps.map { TrailStepColumns($0.step) }
        // Numbered in the order in which they were taken.
        try connection.queue(
            """
            INSERT INTO trail_step (inbox, notification, at, kind, detail, place, provider, device)
            SELECT inbox, notification, at, kind, detail, place, provider, device
            FROM unnest($1, $2, $3, $4, $5, $6, $7, $8) WITH ORDINALITY AS new (
                inbox, notification, at, kind, detail, place, provider, device, turn
            ) ORDER BY turn
            """,
            [
                .int64s(steps.map(\.inbox)), .int64s(steps.map(\.notification)), .int64s(steps.map(\.at.milliseconds)),
                .texts(columns.map(\.kind)), .texts(columns.map(\.detail)),
                .int64s(zip(steps, columns).map { $1.place ?? $0.sentAt?.milliseconds }),
                .texts(steps.map { $0.provider?.name }), .texts(steps.map(\.device)),
            ])
    }
}
