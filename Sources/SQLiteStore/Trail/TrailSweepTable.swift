import Deliveries
import GRDB
import Inbox
import Store

/// The rows of `trail_event` and `trail_step` as the sweep goes through them.
struct TrailSweepTable {
    private static let naming = RowNaming(table: "trail_event")

    let db: Database
    let damage: DamageWatch

    func events(after place: TrailPlace, limit: Int) throws -> [SweptEvent] {
        let find = try db.statement(
            sql: """
                SELECT event, page, accepted_at, key IS NOT NULL, fingerprint IS NOT NULL, retracted_at IS NOT NULL
                FROM trail_event WHERE (event, page) > (?, ?) ORDER BY event, page LIMIT ?
                """)
        return try find.sound([place.event, place.page, limit], of: Self.naming, damage) { row in
            SweptEvent(
                place: TrailPlace(event: try row.text(0), page: try row.int(1)),
                acceptedAt: Timestamp(milliseconds: try row.int(2)), isKeyed: try row.bool(3),
                hasUse: try row.bool(4), isRetracted: try row.bool(5))
        }
    }

    func verdicts(at place: TrailPlace) throws -> TrailVerdicts? {
        let find = try db.statement(sql: "SELECT verdicts FROM trail_event WHERE event = ? AND page = ?")
        let bytes = try find.first([place.event, place.page]) { try $0.bytes(0) } ?? nil
        let verdicts = bytes.flatMap(TrailVerdicts.init(bytes:))
        if verdicts == nil { damage.leaveOut(DamagedRow(table: "trail_event", key: place.event)) }
        return verdicts
    }

    func write(_ verdicts: TrailVerdicts, at place: TrailPlace) throws {
        let write = try db.statement(sql: "UPDATE trail_event SET verdicts = ? WHERE event = ? AND page = ?")
        try write.execute(arguments: [verdicts.bytes, place.event, place.page])
    }

    func remove(at place: TrailPlace) throws {
        let delete = try db.statement(sql: "DELETE FROM trail_event WHERE event = ? AND page = ?")
        try delete.execute(arguments: [place.event, place.page])
    }

    func removeSteps(before time: Timestamp, limit: Int) throws -> Int {
        let delete = try db.statement(
            sql: """
                DELETE FROM trail_step
                WHERE at < ? AND number IN (SELECT number FROM trail_step ORDER BY number LIMIT ?)
                """)
        try delete.execute(arguments: [time.milliseconds, limit])
        return delete.changedRows
    }
}
