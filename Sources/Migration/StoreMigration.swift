/// Copies a store into an empty one, table by table, and compares the two.
///
/// The target notes how far each table is, in the transaction that adds the rows. So a run that was interrupted anywhere
/// is continued by the next one.
package struct StoreMigration {
    /// What is being done, for people who wait.
    package enum Step: Hashable, Sendable {
        /// - rows: those of this run.
        case copying(table: String, rows: Int64)
        case completing
        case comparing(table: String, rows: Int64)
    }

    /// Some thousand small rows; those with long texts still are a few megabytes.
    package static let rowsPerBatch = 2_000

    private let source: any MigrationEnd
    private let target: any MigrationEnd
    private let rowsPerBatch: Int

    package init(
        from source: any MigrationEnd, to target: any MigrationEnd, rowsPerBatch: Int = Self.rowsPerBatch
    ) {
        (self.source, self.target, self.rowsPerBatch) = (source, target, rowsPerBatch)
    }

    /// Copies what is not copied yet, and compares. Only an equal target is finished.
    ///
    /// - Parameter progress: what it throws ends the run.
    package func run(progress: (Step) throws -> Void = { _ in }) throws -> MigrationReport {
        try target.begin(epoch: source.epoch())
        for table in MigratedTable.all { try copy(table, progress) }
        try progress(.completing)
        try target.complete(lastInbox: source.lastInbox())
        let report = try compare(progress: progress)
        guard report.isEqual else { return report }
        try source.checkUnused()
        try target.checkUnused()
        try target.finish()
        return report
    }

    /// Counts and sums up all rows of both stores.
    package func compare(progress: (Step) throws -> Void = { _ in }) throws -> MigrationReport {
        var report = MigrationReport()
        for table in MigratedTable.all + [.epoch] {
            let (one, other) = (try sum(table, of: source, progress), try sum(table, of: target, progress))
            report.tables.append(.init(table: table.name, source: one, target: other))
        }
        return report
    }

    private func copy(_ table: MigratedTable, _ progress: (Step) throws -> Void) throws {
        var (place, copied) = (try target.place(of: table), Int64(0))
        while place != .end {
            var key: [Cell]?
            if case .behind(let last) = place { key = last }
            let batch = try source.batch(of: table, after: key, limit: rowsPerBatch)
            if let last = batch.last, !batch.isEnd { place = .behind(last) } else { place = .end }
            try target.write(batch.rows, of: table, then: place)
            copied += Int64(batch.rows.count)
            try progress(.copying(table: table.name, rows: copied))
        }
    }

    private func sum(
        _ table: MigratedTable, of end: any MigrationEnd, _ progress: (Step) throws -> Void
    ) throws -> TableSum {
        var (sum, key): (TableSum, [Cell]?) = (TableSum(), nil)
        while true {
            let batch = try end.batch(of: table, after: key, limit: rowsPerBatch)
            for row in batch.rows { sum.add(row) }
            try progress(.comparing(table: table.name, rows: sum.rows))
            guard let last = batch.last, !batch.isEnd else { return sum }
            key = last
        }
    }
}
