import Foundation
import GRDB

/// Backs up a whole store into one file, and restores it.
package enum StoreBackup {
    /// The size and content of a backup.
    package struct Summary: Sendable, Hashable {
        package let bytes: Int64
        package let inboxes: Int
    }

    /// 8 MB: small enough steps for a progress that moves.
    private static let pagesPerStep: CInt = 2_000

    /// Copies a folder's store, as it is at one moment, into a new file, and checks the copy. The server may go on:
    /// commits do not wait for a transaction that only reads. But while it lasts, the write-ahead log cannot begin anew
    /// and grows. One of the first commits afterwards takes longer, as it copies all of that into the database.
    ///
    /// Only its owner can read the file, which needs no log beside it.
    /// - Parameter progress: gets the part that is done, from 0 to 1.
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
                    if PageChecksums.areThere(store) { PageChecksums.begin(copy) }
                    PageChecksums.readFreePages(store)
                    // Copying would begin anew at every write, unless its transaction has read something before.
                    _ = try Int.fetchOne(store, sql: "SELECT count(*) FROM sqlite_schema")
                    try store.backup(to: copy, pagesPerStep: pagesPerStep) { step in
                        progress(Double(step.completedPageCount) / Double(max(step.totalPageCount, 1)))
                    }
                }
                // Damage in the copy is damage in its source.
                return try judge(copy, source)
            }
            try store.close()
            try copy.close()
            return summary
        }
        try file.finish()
        return summary
    }

    /// Restores a backup into a folder without a store. Each inbox and feed begins a new epoch. Clients may have seen
    /// more than the backup: they must start anew to miss nothing that gets the same numbers again. Inboxes continue at
    /// unused numbers, as a notification's id also stands in places without an epoch.
    ///
    /// - Parameters:
    ///   - makeEpoch: draws the random id of an inbox or feed; never empty.
    ///   - progress: gets the part that is done, from 0 to 1.
    package static func restore(
        _ path: String, into folder: String, makeEpoch: @escaping @Sendable () -> String,
        progress: @escaping (Double) -> Void = { _ in }
    ) throws(BackupError) -> Summary {
        OpenedDatabase.prepared
        for log in logs(of: path) {
            let bytes = try? FileManager.default.attributesOfItem(atPath: log)[.size] as? Int
            // A backup has no log at all.
            guard bytes ?? 0 == 0 else { throw .hasLog(path: path) }
        }
        let lock: FolderLock
        do { lock = try FolderLock(folder: folder) } catch { throw .notOpened(error) }
        defer { lock.release() }
        let target = folder + "/belfry.sqlite"
        for log in logs(of: target) {
            // SQLite would take it for the restored database's own.
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
            _ = try copy.write { try NewEpochs.make(in: $0, makeEpoch) }
            try copy.close()
            return summary
        }
        try file.finish()
        return summary
    }

    /// The files that SQLite would find beside a database, and apply to it.
    private static func logs(of path: String) -> [String] { [path + "-wal", path + "-journal"] }

    /// Opens an unfinished copy. The copy is synced once, when it is finished, and has no log.
    private static func open(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = OFF") }
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Checks every page of a copy.
    private static func judge(_ copy: Database, _ path: String) throws -> Summary {
        // A copy claims to have a log, as its original did. It could then be read only where a log can be made.
        try copy.execute(sql: "PRAGMA journal_mode = DELETE")
        let finding = try String.fetchOne(copy, sql: "PRAGMA quick_check(1)") ?? "it cannot be checked"
        guard finding == "ok" else { throw BackupError.damaged(path: path, finding: finding) }
        let pages = try Int64.fetchOne(copy, sql: "PRAGMA page_count") ?? 0
        let pageBytes = try Int64.fetchOne(copy, sql: "PRAGMA page_size") ?? 0
        let inboxes = try Int.fetchOne(copy, sql: "SELECT count(*) FROM inbox") ?? 0
        return Summary(bytes: pages * pageBytes, inboxes: inboxes)
    }

    /// Attributes an error to its file: of the two open ones, only the copy is written.
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
            if error.tellsOfDamage { throw .damaged(path: source, finding: error.words) }
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
