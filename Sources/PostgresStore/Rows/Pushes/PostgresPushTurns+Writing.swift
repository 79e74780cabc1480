import Deliveries
import Inbox
import Postgres
import Push

/// Writing the lines that a transaction has changed.
extension PostgresPushTurns {
    private static let releasing = refresh(
        """
        next_at = next.moment, next_turn = next.turn, lease = NULL, node = NULL, notification = NULL, due = NULL, turn = NULL,
        is_overtaken = false, parts = NULL, renewals = NULL
        """, withReturning: false, "true")
    private static let lightening = refresh(
        "next_at = next.moment, next_turn = next.turn", withReturning: true,
        "push_line.lease IS NULL AND (push_line.next_at, push_line.next_turn) <> (next.moment, next.turn)")

    /// A statement that finds the next job of lines anew.
    private static func refresh(
        _ changes: String, withReturning: Bool, _ condition: String
    ) -> PostgresStatement {
        PostgresStatement(
            composed: """
                UPDATE push_line SET \(changes),
                    first_due = CASE next.rank WHEN 2 THEN next.due ELSE push_line.first_due END
                FROM (
                    SELECT line.device, line.next_at AS earlier, job.due, greatest(job.due, wanted.floor) AS moment,
                        job.turn, job.rank
                    FROM unnest($1, $2) AS wanted (device, floor) JOIN push_line AS line USING (device)
                    CROSS JOIN LATERAL (\(choice(withReturning: withReturning))) AS job
                ) AS next
                WHERE push_line.device = next.device AND \(condition)
                RETURNING push_line.provider, push_line.next_at, next.earlier
                """)
    }

    private static let emptying = PostgresStatement(
        composed: """
            DELETE FROM push_line WHERE device = ANY ($1) AND NOT EXISTS (
                SELECT FROM push_job WHERE push_job.device = push_line.device AND push_job.due >= push_line.first_due
            )
            """)

    /// Writes everything, in an order in which later statements see what earlier ones did. Knows no line afterwards.
    func write() throws {
        try rows.writeJobs()
        let lines = rows.transactionLines
        if !lines.gone.isEmpty {
            try connection.queue("DELETE FROM push_line WHERE device = ANY ($1)", [.int64s(lines.gone.sorted())])
        }
        let changed = lines.changed.sorted().compactMap { lines.known[$0] }.map { line in
            var line = line
            line.nextAt = max(line.nextAt, floor(line.provider))
            rows.fronts[line.provider.place].wrote(line.nextAt)
            return line
        }
        if !changed.isEmpty { try PushLine.write(changed, by: rows.node, on: connection) }
        try add(lines.added)
        if !lines.released.isEmpty {
            let devices = lines.released.keys.sorted()
            try connection.queue(Self.emptying, [.int64s(devices)])
            try connection.queue(Self.releasing, values(devices, lines.released))
        }
        let lightened = lines.lightened.keys.filter { lines.released[$0] == nil }.sorted()
        if !lightened.isEmpty { try refresh(lightened) }
        (lines.known, lines.devices, lines.added, lines.searched) = ([:], [:], [:], [])
        (lines.changed, lines.released, lines.lightened, lines.gone) = ([], [:], [:], [])
    }

    /// No line is written before the place where processes begin to look.
    private func floor(_ provider: Device.Provider) -> Int64 {
        max(rows.fronts[provider.place].floor, rows.transactionLines.floor)
    }

    private func values(_ devices: [Int64], _ providers: [Int64: Device.Provider]) -> [PostgresValue] {
        [.int64s(devices), .int64s(devices.map { providers[$0].map(floor) ?? .min })]
    }

    private func add(_ added: [Int64: (provider: Device.Provider, place: PushTurns.Place)]) throws {
        if added.isEmpty { return }
        // Each line is under the lock of its inbox. The order is for readers of the log.
        let places = added.values.sorted { $0.place.device < $1.place.device }
        let moments = places.map { max($0.place.availableAt.milliseconds, floor($0.provider)) }
        for (place, moment) in zip(places, moments) { rows.fronts[place.provider.place].wrote(moment) }
        try connection.queue(
            """
            INSERT INTO push_line (device, provider, next_at, next_turn, first_due)
            SELECT device, provider, moment, turn, due
            FROM unnest($1, $2, $3, $4, $5) AS new (device, provider, due, turn, moment)
            ON CONFLICT (device) DO UPDATE SET first_due = least(push_line.first_due, excluded.first_due),
                (next_at, next_turn) = (
                    SELECT CASE WHEN is_sooner THEN excluded.next_at ELSE push_line.next_at END,
                        CASE WHEN is_sooner THEN excluded.next_turn ELSE push_line.next_turn END
                    FROM (
                        SELECT push_line.lease IS NULL
                            AND (excluded.next_at, excluded.next_turn) < (push_line.next_at, push_line.next_turn)
                    ) AS judged (is_sooner)
                )
            WHERE push_line.first_due > excluded.first_due OR push_line.lease IS NULL
                AND (excluded.next_at, excluded.next_turn) < (push_line.next_at, push_line.next_turn)
            """,
            [
                .int64s(places.map(\.place.device)), .int64s(places.map { Int64($0.provider.place) }),
                .int64s(places.map(\.place.availableAt.milliseconds)), .int64s(places.map(\.place.position.turn)),
                .int64s(moments),
            ])
    }

    /// Finds out what devices get next that have lost jobs. One that was put off may have held up the others.
    private func refresh(_ devices: [Int64]) throws {
        try connection.queue(
            PostgresStatement(composed: Self.emptying.text + " AND lease IS NULL"), [.int64s(devices)])
        for row in try connection.run(
            Self.lightening, values(devices, rows.transactionLines.lightened))
        where try row.int64(1) < row.int64(2) {
            guard let provider = rows.providers[place: Int(try row.int64(0))] else { continue }
            rows.transactionLines.freed.append((provider, Timestamp(milliseconds: try row.int64(1))))
        }
    }
}
