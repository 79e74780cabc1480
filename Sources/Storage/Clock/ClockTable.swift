import GRDB

/// The statements that keep the last ``ClockReading``.
enum ClockTable {
    static func read(_ db: Database) throws -> ClockReading? {
        try Row.fetchOne(db, sql: "SELECT boot, offset FROM clock").map { row in
            ClockReading(boot: row["boot"], offset: row["offset"])
        }
    }

    static func write(_ reading: ClockReading, _ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO clock (id, boot, offset) VALUES (1, ?, ?)",
            arguments: [reading.boot, reading.offset])
    }
}
