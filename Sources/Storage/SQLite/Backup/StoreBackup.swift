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

    /// Copies the store of a folder, as it is at one moment, into a new file, and checks the copy. The server may go on: a
    /// transaction that only reads holds up nobody, but as long as it lasts, the write-ahead log cannot begin anew and grows.
    ///
    /// The file is for its owner's eyes only, and is in no need of a log beside it.
    /// - Parameter progress: is told parts of the whole, from 0 to 1.
    package static func make(
        of folder: String, to path: String, progress: @escaping (Double) -> Void = { _ in }
    ) throws(BackupError) -> Summary {
        let source = folder + "/belfry.sqlite"
        guard FileManager.default.fileExists(atPath: source) else { throw .noStore(folder: folder) }
        let file = try UnfinishedFile(path: path)
        let summary = try describing(source) {
            var readOnly = Configuration()
            readOnly.readonly = true
            readOnly.busyMode = .timeout(5)
            let (store, copy) = try (DatabaseQueue(path: source, configuration: readOnly), open(file.partialPath))
            let summary = try copy.writeWithoutTransaction { copy in
                try store.read { store in
                    // Copying begins anew whenever somebody writes, unless its transaction has looked at something before.
                    _ = try Int.fetchOne(store, sql: "SELECT count(*) FROM sqlite_schema")
                    try store.backup(to: copy, pagesPerStep: pagesPerStep) { step in
                        progress(Double(step.completedPageCount) / Double(max(step.totalPageCount, 1)))
                    }
                }
                return try judge(copy, path)
            }
            try store.close()
            try copy.close()
            return summary
        }
        try file.finish()
        return summary
    }

    /// Puts a backup in the place of the store of a folder that has none. Each inbox and feed begins a new epoch: clients may
    /// have seen more than the backup, and must start anew rather than miss what gets the same numbers again.
    ///
    /// - Parameters:
    ///   - makeEpoch: draws the random id of an inbox or feed; never empty.
    ///   - progress: is told parts of the whole, from 0 to 1.
    package static func restore(
        _ path: String, into folder: String, makeEpoch: @escaping @Sendable () -> String,
        progress: @escaping (Double) -> Void = { _ in }
    ) throws(BackupError) -> Summary {
        let logBytes = try? FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int
        // No log at all is what a backup should have.
        guard logBytes ?? 0 == 0 else { throw .hasLog(path: path) }
        let lock: FolderLock
        do { lock = try FolderLock(folder: folder) } catch { throw .notOpened(error) }
        defer { lock.release() }
        let target = folder + "/belfry.sqlite"
        // It would be taken for the restored database's own.
        guard !FileManager.default.fileExists(atPath: target + "-wal") else { throw .exists(path: target + "-wal") }
        let file = try UnfinishedFile(path: target)
        try FileCopy.copy(path, to: file.partialPath, progress: progress)
        let summary = try describing(path) {
            let copy = try open(file.partialPath)
            if try copy.read({ try Schema.migrations.hasBeenSuperseded($0) }) {
                throw StoreOpenError.newerSchema(path: path)
            }
            let summary = try copy.writeWithoutTransaction { try judge($0, path) }
            try copy.write { db in
                db.add(function: DatabaseFunction("new_epoch", argumentCount: 0) { _ in makeEpoch() })
                try db.execute(sql: "UPDATE inbox SET epoch = new_epoch(); UPDATE feed SET epoch = new_epoch()")
            }
            try copy.close()
            return summary
        }
        try file.finish()
        return summary
    }

    /// Opens an unfinished copy. It is synced once, when it is finished, and has no log beside it.
    private static func open(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = OFF") }
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Reads every page of a copy.
    private static func judge(_ copy: Database, _ path: String) throws -> Summary {
        // A copy says of itself that it has a log, as its original did; then it could be read only where one can be made.
        try copy.execute(sql: "PRAGMA journal_mode = DELETE")
        let finding = try String.fetchOne(copy, sql: "PRAGMA quick_check(1)") ?? "it cannot be checked"
        guard finding == "ok" else { throw BackupError.damaged(path: path, finding: finding) }
        let pages = try Int64.fetchOne(copy, sql: "PRAGMA page_count") ?? 0
        let pageBytes = try Int64.fetchOne(copy, sql: "PRAGMA page_size") ?? 0
        let inboxes = try Int.fetchOne(copy, sql: "SELECT count(*) FROM inbox") ?? 0
        return Summary(bytes: pages * pageBytes, inboxes: inboxes)
    }

    private static func describing<Value>(_ path: String, _ body: () throws -> Value) throws(BackupError) -> Value {
        do {
            return try body()
        } catch let error as BackupError {
            throw error
        } catch let error as StoreOpenError {
            throw .notOpened(error)
        } catch let error as DatabaseError {
            throw .notOpened(
                .database(
                    path: path, code: Int(error.extendedResultCode.rawValue), message: error.message ?? "unknown error")
            )
        } catch {
            throw .notOpened(.database(path: path, code: -1, message: "\(type(of: error))"))
        }
    }
}
