import GRDB
import Store
import Synchronization

/// Whether SQLite has found the database file damaged, or the disk has lost commits. From then on nothing is written,
/// as it would rest on the damage or spread it.
///
/// A row that makes no sense is another matter (``DamagedRow``): it harms only its owner, and is left out.
final class DamageWatch: Sendable {
    /// How many rows are told apart; nobody looks at each of more.
    static let mostRows = 1_000

    private let isFound = Atomic(false)
    private let rows = Mutex<Set<DamagedRow>>([])
    private let report: @Sendable (_ code: Int, _ message: String) -> Void
    private let reportRow: @Sendable (DamagedRow) -> Void

    /// Both closures run on the queue where the damage is found, or where the store is opened.
    /// - Parameters:
    ///   - report: called once, with SQLite's words.
    ///   - reportRow: called once for each row, up to ``mostRows``.
    init(
        report: @escaping @Sendable (_ code: Int, _ message: String) -> Void = { _, _ in },
        reportRow: @escaping @Sendable (DamagedRow) -> Void = { _ in }
    ) {
        (self.report, self.reportRow) = (report, reportRow)
    }

    var isDamaged: Bool { isFound.load(ordering: .relaxed) }

    /// How many rows were found damaged, up to ``mostRows``.
    var damagedRows: Int { rows.withLock { $0.count } }

    /// Notes that a row makes no sense and is left out.
    func leaveOut(_ row: DamagedRow) {
        let isNew = rows.withLock { rows in
            if rows.count == Self.mostRows { return false }
            return rows.insert(row).inserted
        }
        if isNew { reportRow(row) }
    }

    /// The error to tell the caller. Notes the damage if the error shows any.
    /// - Parameter isLost: whether commits are lost on their way to the disk, which is damage, whatever the error.
    func judged(_ error: any Error, isLost: Bool = false) -> StoreError {
        guard let error = error as? DatabaseError else {
            leaveOut(error as? DamagedRow ?? DamagedRow(table: "unknown"))
            return StoreError(error)
        }
        guard isLost || error.tellsOfDamage else { return StoreError(error) }
        if !isFound.exchange(true, ordering: .relaxed) {
            report(Int(error.extendedResultCode.rawValue), error.words)
        }
        return .damaged
    }
}

extension DatabaseError {
    /// Whether the file is damaged, or no database.
    var tellsOfDamage: Bool {
        resultCode == .SQLITE_CORRUPT || resultCode == .SQLITE_NOTADB || isWrongChecksum
    }

    private var isWrongChecksum: Bool { extendedResultCode.rawValue == ChecksummedFile.wrongChecksum }

    /// SQLite's own words, which name tables and columns and no values. It has none for a wrong checksum.
    var words: String { isWrongChecksum ? "a page has a wrong checksum" : message ?? "unknown error" }
}
