import Foundation
import GRDB

/// Copies of a whole store in one file, and the way back.
package enum StoreBackup {
    /// What is in a backup.
    package struct Summary: Sendable, Hashable {
        package let bytes: Int64
        package let inboxes: Int
    }

    /// 8 MB: many enough steps for a progress that moves.
    private static let pagesPerStep: CInt = 2_000

    /// Copies the store of a folder, as it is at one moment, into a new file, and checks the copy. The server may go
    /// on: no commit waits for a transaction that only reads, but as long as it lasts, the write-ahead log cannot begin
    /// anew and grows. One of the first commits afterwards takes longer, as it copies all of that into the database.
    ///
    /// The file is for its owner's eyes only, and is in no need of a log beside it.
    /// - Parameter progress: is told parts of the whole, from 0 to 1.
    package static func make(
        of folder: String, to path: String, progress: @escaping (Double) -> Void = { _ in }
    ) throws(BackupError) -> Summary {
        let source = folder + "/belfry.sqlite"
        OpenedDatabase.prepared
        do { try DataFolder.checkStore(in: folder) } catch { throw .notOpened(error) }
        guard access(source, R_OK) == 0 else {
            let reason = errno
            throw reason == ENOENT
                ? .noStore(folder: folder) : .system(call: "access", path: source, errno: reason)
        }
        let file = try UnfinishedFile(path: path)
        let summary = try describing(source, copy: file.partialPath) {
            var readOnly = Configuration()
            readOnly.readonly = true
            readOnly.busyMode = .timeout(5)
            let (store, copy) = try (DatabaseQueue(path: source, configuration: readOnly), open(file.partialPath))
            let summary = try copy.writeWithoutTransaction { copy in
                try store.read { store in
                    // Copying begins anew whenever somebody writes, unless its transaction has looked at something
                    // before.
                    _ = try Int.fetchOne(store, sql: "SELECT count(*) FROM sqlite_schema")
                    try store.backup(to: copy, pagesPerStep: pagesPerStep) { step in
                        progress(Double(step.completedPageCount) / Double(max(step.totalPageCount, 1)))
                    }
                }
                // What is wrong with the copy is so with what was copied.
                return try judge(copy, source)
            }
            try store.close()
            try copy.close()
            return summary
        }
        try file.finish()
        return summary
    }

    /// Puts a backup in the place of the store of a folder that has none. Each inbox and feed begins a new epoch:
    /// clients may have seen more than the backup, and must start anew rather than miss what gets the same numbers
    /// again. Inboxes go on at numbers that were never given, as the id of a notification stands in places without an
    /// epoch.
    ///
    /// - Parameters:
    ///   - makeEpoch: draws the random id of an inbox or feed; never empty.
    ///   - progress: is told parts of the whole, from 0 to 1.
    package static func restore(
        _ path: String, into folder: String, makeEpoch: @escaping @Sendable () -> String,
        progress: @escaping (Double) -> Void = { _ in }
    ) throws(BackupError) -> Summary {
        for log in logs(of: path) {
            let bytes = try? FileManager.default.attributesOfItem(atPath: log)[.size] as? Int
            // None at all is what a backup should have.
            guard bytes ?? 0 == 0 else { throw .hasLog(path: path) }
        }
        let lock: FolderLock
        do { lock = try FolderLock(folder: folder) } catch { throw .notOpened(error) }
        defer { lock.release() }
        let target = folder + "/belfry.sqlite"
        for log in logs(of: target) {
            // It would be taken for the restored database's own.
            guard !FileManager.default.fileExists(atPath: log) else { throw .exists(path: log) }
        }
        let file = try UnfinishedFile(path: target)
        file.give(toOwnerOf: folder)
        try FileCopy.copy(path, to: file.partialPath, progress: progress)
        let summary = try describing(path, copy: file.partialPath) {
            let copy = try open(file.partialPath)
            if try copy.read({ try Schema.migrations.hasBeenSuperseded($0) }) {
                throw StoreOpenError.newerSchema(path: path)
            }
            let summary = try copy.writeWithoutTransaction { try judge($0, path) }
            try copy.write { db in
                db.add(function: DatabaseFunction("new_epoch", argumentCount: 0) { _ in makeEpoch() })
                try db.execute(sql: "UPDATE inbox SET epoch = new_epoch(); UPDATE feed SET epoch = new_epoch()")
                // An older release's backup has none of these yet, and gets them when it is opened.
                if try db.tableExists("store_epoch") {
                    try db.execute(sql: "UPDATE store_epoch SET epoch = new_epoch()")
                }
                if try db.viewExists("inbox_state") { try skipNumbers(db) }
            }
            try copy.close()
            return summary
        }
        try file.finish()
        return summary
    }

    /// More notifications than one inbox gets between a backup and its restore, and few enough for thousands of
    /// restores.
    private static let skippedNumbers = 1_000_000

    /// The counts of what an inbox holds are written with the number that it goes on at: until then its newest row
    /// tells them.
    private static func skipNumbers(_ db: Database) throws {
        try db.execute(
            sql: """
                UPDATE inbox SET (seq, unread, unseen, total) = (
                    SELECT seq + \(skippedNumbers), unread, unseen, total FROM inbox_state WHERE inbox_state.id = inbox.id);
                """)
    }

    /// What SQLite would look for beside a database, and apply to it.
    private static func logs(of path: String) -> [String] { [path + "-wal", path + "-journal"] }

    /// Opens an unfinished copy. It is synced once, when it is finished, and has no log beside it.
    private static func open(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = OFF") }
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Reads every page of a copy.
    private static func judge(_ copy: Database, _ path: String) throws -> Summary {
        // A copy says of itself that it has a log, as its original did; then it could be read only where one can be
        // made.
        try copy.execute(sql: "PRAGMA journal_mode = DELETE")
        let finding = try String.fetchOne(copy, sql: "PRAGMA quick_check(1)") ?? "it cannot be checked"
        guard finding == "ok" else { throw BackupError.damaged(path: path, finding: finding) }
        let pages = try Int64.fetchOne(copy, sql: "PRAGMA page_count") ?? 0
        let pageBytes = try Int64.fetchOne(copy, sql: "PRAGMA page_size") ?? 0
        let inboxes = try Int.fetchOne(copy, sql: "SELECT count(*) FROM inbox") ?? 0
        return Summary(bytes: pages * pageBytes, inboxes: inboxes)
    }

    /// Tells an error by the file that it is about: of the two that are open, only the copy is written.
    static func describing<Value>(
        _ source: String, copy: String, _ body: () throws -> Value
    ) throws(BackupError) -> Value {
        do {
            return try body()
        } catch let error as BackupError {
            throw error
        } catch let error as StoreOpenError {
            throw .notOpened(error)
        } catch let error as DatabaseError {
            guard error.resultCode != .SQLITE_FULL else { throw .system(call: "write", path: copy, errno: ENOSPC) }
            let path = error.extendedResultCode == .SQLITE_IOERR_WRITE ? copy : source
            throw .notOpened(
                .database(
                    path: path, code: Int(error.extendedResultCode.rawValue), message: error.message ?? "unknown error")
            )
        } catch {
            throw .notOpened(.database(path: source, code: -1, message: "\(type(of: error))"))
        }
    }
}
