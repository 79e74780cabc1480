import GRDB
import Migration
import Verification

/// The database in one snapshot, as checks read it.
struct SQLiteMoment: StoreMoment {
    let db: Database
    /// The data folder's.
    let name: String
    /// What SQLite leaves out of the log; nil for a whole log.
    let survey: LogSurvey?

    func ownFindings(_ progress: (String) -> Void) throws -> [Finding] {
        try checkVersion()
        var findings = log
        progress("checking the file's pages and indexes")
        findings += try pages()
        findings += try schema()
        for check in OwnCheck.all {
            var finding = Finding(check: check.name, meaning: check.meaning, mends: check.mends)
            for row in try String.fetchAll(db, sql: check.query) { finding.add(row) }
            if finding.count > 0 { findings.append(finding) }
        }
        return findings
    }

    private func checkVersion() throws {
        if try Schema.migrations.hasBeenSuperseded(db) { throw VerificationProblem.newerTables(at: name) }
        if try MigrationMark.isThere(db) {
            throw VerificationProblem.unfinished(at: name, command: "belfry migrate")
        }
        guard try Schema.migrations.hasCompletedMigrations(db) else { throw VerificationProblem.olderTables(at: name) }
    }

    // MARK: The file

    private var log: [Finding] {
        guard let survey else { return [] }
        var finding = Finding(
            check: "log", meaning: "commits that SQLite leaves out, as the log is damaged before them")
        for _ in 0..<survey.lostCommits { finding.add("frame \(survey.damagedFrame)") }
        return [finding]
    }

    private func pages() throws -> [Finding] {
        let lines = try String.fetchAll(db, sql: "PRAGMA integrity_check").flatMap { $0.split(separator: "\n") }
            .filter { $0 != "ok" }
        if lines.isEmpty { return [] }
        // Only these say that the tables are sound.
        let areIndexes = lines.allSatisfy { $0.contains("missing from index") || $0.contains("entries in index") }
        var finding = Finding(
            check: "file", meaning: "what SQLite's integrity_check says", mends: areIndexes ? ["REINDEX"] : [])
        for line in lines { finding.add(String(line)) }
        return [finding]
    }

    // MARK: The schema

    private struct Declaration: Hashable, Sendable {
        let type: String
        let name: String
        let sql: String

        static let ofNewStores = Result {
            let fresh = try DatabaseQueue()
            try Schema.migrations.migrate(fresh)
            return try fresh.read(all)
        }

        static func all(_ db: Database) throws -> [Declaration] {
            try Row.fetchAll(db, sql: "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL").map {
                Declaration(type: $0[0], name: $0[1], sql: $0[2])
            }
        }

        /// Without quotes and white space: those depend on the release of SQLite that has renamed a table.
        var essence: String { sql.filter { !$0.isWhitespace && $0 != "\"" } }
    }

    /// Compares the tables, indexes and views with those of a new store. Others are an operator's own.
    private func schema() throws -> [Finding] {
        let found = try Declaration.all(db).reduce(into: [:]) { $0[$1.name] = $1 }
        var finding = Finding(
            check: "schema", meaning: "tables, indexes or views that are not as this version makes them")
        var canBeMended = true
        for wanted in try Declaration.ofNewStores.get() where found[wanted.name]?.essence != wanted.essence {
            finding.add("\(wanted.type) \(wanted.name)")
            guard wanted.type != "table" else {
                canBeMended = false
                continue
            }
            finding.mends.append("DROP \(wanted.type) IF EXISTS \(wanted.name)")
            finding.mends.append(wanted.sql)
        }
        if !canBeMended { finding.mends = [] }
        return finding.count > 0 ? [finding] : []
    }

    // MARK: Rows

    func visit(_ table: MigratedTable, _ body: (_ key: [Cell], _ row: [Cell]?) throws -> Void) throws {
        let width = table.columns.count
        try db.statement(sql: table.selection(behindKey: false)).forEach([Int64.max]) { row in
            let key = (width..<width + table.storedKeyCount).map { row.cell($0) }
            let cells = table.columns.enumerated().map { place, column in
                let cell = row.cell(place)
                if case .octets = cell, column.isNumber { return nil as Cell? }
                if case .number = cell, !column.isNumber { return nil }
                return cell
            }
            try body(key, cells.contains { $0 == nil } ? nil : cells.compactMap { $0 })
        }
    }

    func visit(_ sql: String, _ kinds: [MigratedTable.Column.Kind], _ body: ([Cell]) throws -> Void) throws {
        try db.statement(sql: sql).forEach([]) { row in try body(kinds.indices.map { row.cell($0) }) }
    }
}

extension StoredRow {
    /// The column, whichever it is. A text is read as its bytes.
    fileprivate func cell(_ index: Int) -> Cell {
        let value = anyValue(index)
        return value.number.map(Cell.number) ?? value.octets.map(Cell.octets) ?? .null
    }
}
