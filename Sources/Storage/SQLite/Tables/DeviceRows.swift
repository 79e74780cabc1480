import GRDB

/// Chooses rows for new devices: none beyond what a ``PushJobNumber`` has room for.
///
/// A new device gets the row behind the highest one, though others below it have gone: so the last row may be taken long
/// before there are so many devices. From then on rows are used again; of the devices that had them, nothing is left.
///
/// By reference, to go on where the last search has ended, for as long as the writer keeps its statements.
final class DeviceRows {
    private let last: Int64
    private let findLast: Statement
    private let findGap: Statement
    /// The last row that was found in a gap.
    private var searchedTo: Int64 = 0
    /// No gap was found, and no device has gone since.
    private var isFull = false

    /// - Parameter last: the highest row that a device may have.
    init(_ db: Database, upTo last: Int64) throws {
        self.last = last
        findLast = try db.cachedStatement(sql: "SELECT coalesce(max(row), 0) FROM device")
        findGap = try db.cachedStatement(
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

    /// A row that no device has; nil if there is none.
    func free() throws -> Int64? {
        let highest = try findLast.first([]) { try $0.int(0) } ?? 0
        if highest < last { return highest + 1 }
        if isFull { return nil }
        guard let gap = try gap(after: searchedTo) ?? (searchedTo > 0 ? gap(after: 0) : nil) else {
            isFull = true
            return nil
        }
        searchedTo = gap
        return gap
    }

    /// A device has gone.
    func freed(_ row: Int64) {
        guard isFull else { return }
        isFull = false
        searchedTo = row - 1
    }

    private func gap(after row: Int64) throws -> Int64? { try findGap.first([row, last]) { try $0.int(0) } }
}
