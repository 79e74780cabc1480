import SQLiteStore
import Store
import Synchronization

/// The damaged rows that a store has told of.
final class Told: Sendable {
    private let all = Mutex<[DamagedRow]>([])

    func add(_ row: DamagedRow) { all.withLock { $0.append(row) } }
    var rows: [DamagedRow] { all.withLock { $0 } }
}
