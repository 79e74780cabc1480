import GRDB
import Store

/// The statements that store the last ``ClockReading``.
enum ClockTable {
    static func read(_ db: Database) throws -> ClockReading? {
        try db.statement(sql: "SELECT boot, offset FROM clock").first([]) { row in
            // A damaged reading counts as none.
            guard let boot = try? row.validText(0), let offset = try? row.int(1) else { return nil }
            return ClockReading(boot: boot, offset: offset)
        } ?? nil
    }

    static func write(_ reading: ClockReading, _ db: Database) throws {
        try db.statement(sql: "INSERT OR REPLACE INTO clock (id, boot, offset) VALUES (1, ?, ?)")
            .execute(arguments: [reading.boot, reading.offset])
    }
}
