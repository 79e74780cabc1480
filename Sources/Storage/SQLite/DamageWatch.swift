import GRDB
import Synchronization

/// Whether SQLite has found the database's file damaged, or the disk has failed to take commits that were made. From then on
/// nothing is written: it would rest on the damage, or spread it.
///
/// A row that makes no sense is not meant (``DamagedRow``): it harms whom it belongs to.
final class DamageWatch: Sendable {
    private let isFound = Atomic(false)
    private let report: @Sendable (_ code: Int, _ message: String) -> Void

    /// - Parameter report: told once, in SQLite's words, on the queue of whoever finds it, or by whoever opens the store.
    init(report: @escaping @Sendable (_ code: Int, _ message: String) -> Void) { self.report = report }

    var isDamaged: Bool { isFound.load(ordering: .relaxed) }

    /// What is to be told to whom this error came; takes note of it if it tells of damage.
    /// - Parameter isLost: whether commits are lost on their way to the disk, which is damage, whatever the error says.
    func judged(_ error: any Error, isLost: Bool = false) -> StoreError {
        guard let error = error as? DatabaseError, isLost || error.tellsOfDamage else {
            return StoreError(error)
        }
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
