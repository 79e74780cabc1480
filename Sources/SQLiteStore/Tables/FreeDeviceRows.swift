import GRDB

/// Chooses rows for new devices, within the range of a ``PushJobNumber``.
///
/// A new device gets the row behind the highest one, even if lower rows are free. So the last row may be taken long
/// before there are so many devices. From then on, free rows are used again; nothing is left of their earlier devices.
struct FreeDeviceRows {
    private let last: Int64
    private let search: DeviceRowSearch
    private let findLast: Statement
    private let findGap: Statement

    /// - Parameters:
    ///   - last: the highest row that a device may have.
    ///   - search: how far the search for free rows has come.
    init(_ db: Database, upTo last: Int64, _ search: DeviceRowSearch) throws {
        self.last = last
        self.search = search
        findLast = try db.statement(sql: "SELECT coalesce(max(row), 0) FROM device")
        findGap = try db.statement(
            sql: """
                SELECT ?1 + 1 WHERE ?1 < ?2 AND NOT EXISTS (SELECT 1 FROM device WHERE row = ?1 + 1)
                UNION ALL
                SELECT * FROM (
                    SELECT row + 1 FROM device AS taken
                    WHERE row > ?1 AND row < ?2 AND NOT EXISTS (SELECT 1 FROM device WHERE row = taken.row + 1)
                    ORDER BY row LIMIT 1)
                LIMIT 1
                """)
    }

    /// A free row; nil if there is none.
    func free() throws -> Int64? {
        let highest = try findLast.first([]) { try $0.int(0) } ?? 0
        if highest < last { return highest + 1 }
        guard let start = search.start else { return nil }
        let gap = try gap(after: start) ?? (start > 0 ? gap(after: 0) : nil)
        search.found(gap)
        return gap
    }

    /// Notes that a device's row is free again.
    func freed(_ row: Int64) { search.freed(row) }

    private func gap(after row: Int64) throws -> Int64? { try findGap.first([row, last]) { try $0.int(0) } }
}
