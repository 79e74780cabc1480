import GRDB
import Synchronization

/// Whether SQLite has found the database's file damaged, or the disk has failed to take commits that were made. From
/// then on nothing is written: it would rest on the damage, or spread it.
///
/// A row that makes no sense is another thing (``DamagedRow``): it harms whom it belongs to, and is left out.
final class DamageWatch: Sendable {
    /// So many rows are told apart; with more nobody looks at each.
    static let mostRows = 1_000

    private let isFound = Atomic(false)
    private let rows = Mutex<Set<DamagedRow>>([])
    private let report: @Sendable (_ code: Int, _ message: String) -> Void
    private let reportRow: @Sendable (DamagedRow) -> Void

    /// Both are told on the queue of whoever finds it, or by whoever opens the store.
    /// - Parameters:
    ///   - report: told once, in SQLite's words.
    ///   - reportRow: told once of each row, up to ``mostRows``.
    init(
        report: @escaping @Sendable (_ code: Int, _ message: String) -> Void = { _, _ in },
        reportRow: @escaping @Sendable (DamagedRow) -> Void = { _ in }
    ) {
        (self.report, self.reportRow) = (report, reportRow)
    }

    var isDamaged: Bool { isFound.load(ordering: .relaxed) }

    /// How many rows were found damaged, up to ``mostRows``.
    var damagedRows: Int { rows.withLock { $0.count } }

    /// A row makes no sense, and is passed over.
    func leaveOut(_ row: DamagedRow) {
        let isNew = rows.withLock { rows in
            if rows.count == Self.mostRows { return false }
            return rows.insert(row).inserted
        }
        if isNew { reportRow(row) }
    }

    /// What is to be told to whom this error came; takes note of it if it tells of damage.
    /// - Parameter isLost: whether commits are lost on their way to the disk, which is damage, whatever the error says.
    func judged(_ error: any Error, isLost: Bool = false) -> StoreError {
        guard let error = error as? DatabaseError else {
            leaveOut(error as? DamagedRow ?? DamagedRow(table: "unknown"))
            return StoreError(error)
        }
        guard isLost || error.tellsOfDamage else { return StoreError(error) }
        if !isFound.exchange(true, ordering: .relaxed) {
            report(Int(error.extendedResultCode.rawValue), error.message ?? "unknown error")
        }
        return .damaged
    }
}

extension DatabaseError {
    /// Whether the file is damaged, or no database.
    var tellsOfDamage: Bool { resultCode == .SQLITE_CORRUPT || resultCode == .SQLITE_NOTADB }
}
