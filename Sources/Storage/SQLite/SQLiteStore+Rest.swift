import Dispatch
import GRDB
import GRDBSQLite
import Synchronization

/// Memory that nobody has needed for a while.
extension SQLiteStore {
    package func tryWriting(completion: @escaping @Sendable (Result<Void, StoreError>) -> Void) {
        write(completion) { open in
            // Of nobody's use here, and a page to be written all the same.
            try open.db.execute(sql: "PRAGMA user_version = 0")
            return .success(())
        }
    }

    /// Nothing waits to be written for now. On the writer's queue.
    func writerPaused() {
        if let delay = rest.withLock({ $0.paused(at: .now) }) { lookAtWriter(after: delay) }
    }

    private func lookAtWriter(after delay: Duration) {
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + delay / .seconds(1)) { [weak self] in
            guard let self, !isClosed else { return }
            // On the writer's queue, behind writes that are under way: only they know when the last one was.
            withIdleWriter { [self] db in
                switch rest.withLock({ $0.look(at: .now) }) {
                case .again(let delay): lookAtWriter(after: delay)
                case .rest: if Self.releasePages(of: db, options) { options.onRelease() }
                }
            }
        }
    }

    /// - Returns: whether that was worth it.
    private static func releasePages(of db: Database, _ options: SQLiteStoreOptions) -> Bool {
        // Nil when the store was closed meanwhile.
        guard let connection = db.sqliteConnection else { return false }
        var (bytes, most): (Int32, Int32) = (0, 0)
        sqlite3_db_status(connection, SQLITE_DBSTATUS_CACHE_USED, &bytes, &most, 0)
        guard bytes > options.pageBytesAtRest else { return false }
        return sqlite3_db_release_memory(connection) == SQLITE_OK
    }
}
