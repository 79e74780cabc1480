import GRDB
import Synchronization

/// Whether SQLite has found the database's file damaged. From then on nothing is written: it would rest on the damage, or
/// spread it.
///
/// A row that makes no sense is not meant (``DamagedRow``): it harms whom it belongs to.
final class DamageWatch: Sendable {
    private let isFound = Atomic(false)
    private let report: @Sendable (_ code: Int, _ message: String) -> Void

    /// - Parameter report: told once, in SQLite's words, on the queue of whoever finds it, or by whoever opens the store.
    init(report: @escaping @Sendable (_ code: Int, _ message: String) -> Void) { self.report = report }

    var isDamaged: Bool { isFound.load(ordering: .relaxed) }

    /// What is to be told to whom this error came; takes note of it if it tells of damage.
    func judged(_ error: any Error) -> StoreError {
        guard let error = error as? DatabaseError, Self.codes.contains(error.resultCode) else {
            return StoreError(error)
        }
        if !isFound.exchange(true, ordering: .relaxed) {
            report(Int(error.extendedResultCode.rawValue), error.message ?? "unknown error")
        }
        return .damaged
    }

    private static let codes: [ResultCode] = [.SQLITE_CORRUPT, .SQLITE_NOTADB]
}
