import Deliveries
import Inbox
import JSON
import Postgres

/// Finds the rows of events that are to be taken back, and sweeps the trail. Rows that cannot be read are left out.
final class PostgresTrail: PostgresPart, TrailRows {
    // MARK: Taking back

    func keyed(_ key: String, by publisher: String) throws -> [TrailedKey] {
        try connection.run(
            """
            SELECT event, page, type, coalesce(occurred_at, accepted_at), verdicts, data, retracted FROM trail_event
            WHERE publisher = $1 AND key = $2 ORDER BY event DESC, page
            """, [.text(publisher), .text(key)]
        ).compactMap { try TrailedKey($0) }
    }

    func newest(_ key: String, by publisher: String) throws -> String? {
        try connection.run(
            "SELECT max(event) FROM trail_event WHERE publisher = $1 AND key = $2", [.text(publisher), .text(key)]
        ).first?.textOrNil(0)
    }

    func unretracted(_ key: String, by publisher: String) throws -> [TrailedKey] {
        // Two nodes take back the same event one after the other.
        try KeyLocks.take(key, of: publisher, on: connection)
        let asked = 2
        var (found, skipped): ([TrailedKey], Int64) = ([], 0)
        while found.count < asked {
            // In the order of the index: a broadcast to everybody has thousands of pages.
            let rows = try connection.run(
                """
                SELECT event, page, type, coalesce(occurred_at, accepted_at), verdicts, data, retracted FROM trail_event
                WHERE publisher = $1 AND key = $2 AND retracted_at IS NULL
                ORDER BY retracted_at DESC, event DESC, page DESC LIMIT $3 OFFSET $4
                """, [.text(publisher), .text(key), .int64(Int64(asked)), .int64(skipped)])
            found += try rows.compactMap { try TrailedKey($0) }
            if rows.count < asked { break }
            skipped += Int64(rows.count)
        }
        return Array(found.prefix(asked))
    }

    func isRetracted(_ event: String) throws -> Bool {
        let found = try connection.run(
            "SELECT 1 FROM trail_event WHERE event = $1 AND (retracted > 0 OR retracted_at IS NOT NULL) LIMIT 1",
            [.text(event)])
        return !found.isEmpty
    }

    func writeProgress(_ retracted: Int, end: Timestamp?, at place: TrailPlace) throws {
        try connection.queue(
            "UPDATE trail_event SET retracted = $3, retracted_at = $4 WHERE event = $1 AND page = $2",
            values(place) + [.int64(Int64(retracted)), .int64(end?.milliseconds)])
    }

    // MARK: Writing

    func write(_ recorder: TrailRecorder) throws { try TrailInsertion(connection).insert(recorder) }

    // MARK: Sweeping

    func events(after place: TrailPlace, limit: Int) throws -> [SweptEvent] {
        try connection.run(
            """
            SELECT event, page, accepted_at, key IS NOT NULL, fingerprint IS NOT NULL, retracted_at IS NOT NULL
            FROM trail_event WHERE (event, page) > ($1, $2) ORDER BY event, page LIMIT $3
            """, values(place) + [.int64(Int64(limit))]
        ).map { row in
            SweptEvent(
                place: TrailPlace(event: try row.text(0), page: try row.int64(1)),
                acceptedAt: Timestamp(milliseconds: try row.int64(2)), isKeyed: try row.bool(3),
                hasUse: try row.bool(4), isRetracted: try row.bool(5))
        }
    }

    func verdicts(at place: TrailPlace) throws -> TrailVerdicts? {
        try connection.run("SELECT verdicts FROM trail_event WHERE event = $1 AND page = $2", values(place)).first
            .flatMap { TrailVerdicts(bytes: try $0.bytes(0)) }
    }

    func write(_ verdicts: TrailVerdicts, at place: TrailPlace) throws {
        try connection.queue(
            "UPDATE trail_event SET verdicts = $3 WHERE event = $1 AND page = $2",
            values(place) + [.bytes(verdicts.bytes)])
    }

    func remove(at place: TrailPlace) throws {
        try connection.queue("DELETE FROM trail_event WHERE event = $1 AND page = $2", values(place))
    }

    func removeSteps(before time: Timestamp, limit: Int) throws -> Int {
        try connection.run(
            """
            DELETE FROM trail_step
            WHERE at < $1 AND number IN (SELECT number FROM trail_step ORDER BY number LIMIT $2)
            """, [.int64(time.milliseconds), .int64(Int64(limit))]
        ).changedRows
    }

    /// Decisions may stay: they name an inbox by its number, which says nothing when the inbox is gone.
    func remove(inbox: Int64, limit: Int) throws -> Int {
        try connection.run(
            "DELETE FROM trail_step WHERE number IN (SELECT number FROM trail_step WHERE inbox = $1 LIMIT $2)",
            [.int64(inbox), .int64(Int64(limit))]
        ).changedRows
    }

    private func values(_ place: TrailPlace) -> [PostgresValue] { [.text(place.event), .int64(place.page)] }
}

extension TrailedKey {
    /// - Returns: nil for a row that cannot be read.
    fileprivate init?(_ row: PostgresRow) throws {
        let json = try row.bytesOrNil(5)
        let data = json.flatMap { try? JSONValue(parsing: $0) }?.object  // a mistake makes the row unreadable
        guard let verdicts = TrailVerdicts(bytes: try row.bytes(4)), json == nil || data != nil else { return nil }
        self.init(
            place: TrailPlace(event: try row.text(0), page: try row.int64(1)), type: try row.text(2),
            time: Timestamp(milliseconds: try row.int64(3)), verdicts: verdicts, data: data,
            retracted: Int(try row.int64(6)))
    }
}
