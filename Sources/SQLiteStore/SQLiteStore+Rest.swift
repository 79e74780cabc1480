import Deliveries
import Dispatch
import GRDB
import GRDBSQLite
import Store
import Synchronization

/// Gives back memory that was not needed for a while.
extension SQLiteStore {
    /// Notes that nothing waits to be written for now. Runs on the writer's queue.
    func writerPaused() {
        if let delay = rest.withLock({ $0.paused(at: .now) }) { lookAtWriter(after: delay) }
    }

    private func lookAtWriter(after delay: Duration) {
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + delay / .seconds(1)) { [weak self] in
            guard let self, !isClosed else { return }
            // On the writer's queue, behind writes under way: only there the time of the last write is known.
            withIdleWriter { [self] db in
                switch rest.withLock({ $0.look(at: .now) }) {
                case .again(let delay): lookAtWriter(after: delay)
                case .rest: if Self.releasePages(of: db, options) { options.onRelease() }
                }
            }
        }
    }

    /// - Returns: whether there were enough pages to release.
    private static func releasePages(of db: Database, _ options: SQLiteStoreOptions) -> Bool {
        // Nil if the store was closed meanwhile.
        guard let connection = db.sqliteConnection else { return false }
        var (bytes, most): (Int32, Int32) = (0, 0)
        sqlite3_db_status(connection, SQLITE_DBSTATUS_CACHE_USED, &bytes, &most, 0)
        guard bytes > options.pageBytesAtRest else { return false }
        return sqlite3_db_release_memory(connection) == SQLITE_OK
    }
}
