import GRDB
import Glibc
package import Verification

/// A data folder that `belfry verify` checks, whether a server uses it or not, and mends if none does.
package final class SQLiteVerifiedStore: VerifiedStore {
    package let name: String
    package let dialect = Dialect.sqlite
    private let path: String
    /// Held to mend, so that no server starts meanwhile.
    private let lock: FolderLock?
    /// What SQLite will leave out of the log when a server opens the store.
    private let survey: LogSurvey?

    /// - Parameter isForMending: whether the folder is locked until ``close()``.
    /// - Throws: ``VerificationProblem``
    package init(folder: String, isForMending: Bool) throws {
        (name, path) = (folder, folder + "/belfry.sqlite")
        do { try DataFolder.checkStore(in: folder) } catch {
            throw VerificationProblem.failed(at: folder, reason: "\(error)")
        }
        let isLost = OpenedDatabase.isLost(at: path)
        guard isLost || access(path, F_OK) == 0 else {
            throw VerificationProblem.noStore(at: "the folder \(folder)", expected: "the file belfry.sqlite")
        }
        if isLost {
            throw VerificationProblem.failed(at: folder, reason: "\(StoreOpenError.lostDatabase(path: path))")
        }
        OpenedDatabase.prepared
        let lock = try Self.lock(folder)
        if isForMending, lock == nil { throw VerificationProblem.inUse(at: folder) }
        // The log of a server that runs ends in what it is just writing.
        survey = lock == nil ? nil : LogSurvey(ofDatabase: path)
        self.lock = isForMending ? lock : nil
        if !isForMending { lock?.release() }
    }

    /// Nil while a server uses the folder.
    private static func lock(_ folder: String) throws -> FolderLock? {
        do {
            return try FolderLock(folder: folder)
        } catch StoreOpenError.folderInUse {
            return nil
        } catch {
            throw VerificationProblem.failed(at: folder, reason: "\(error)")
        }
    }

    /// Lets go of the folder.
    package func close() { lock?.release() }

    package func atOneMoment<Value>(_ body: (any StoreMoment) throws -> Value) throws -> Value {
        try describing {
            var configuration = Configuration()
            configuration.label = "belfry.verification"
            configuration.readonly = true
            configuration.busyMode = .timeout(5)
            let database = try DatabaseQueue(path: path, configuration: configuration)
            defer { try? database.close() }  // one that does not close ends with the process
            return try database.read { db in
                Schema.addListMark(db)
                return try body(SQLiteMoment(db: db, name: name, survey: survey))
            }
        }
    }

    package func mend(_ statements: [String]) throws {
        try changing { db in
            Schema.addListMark(db)
            try db.inTransaction {
                for statement in statements { try db.execute(sql: statement) }
                return .commit
            }
        }
    }

    /// Runs `body` outside of all transactions. What it has changed is on the disk afterwards.
    private func changing(_ body: (Database) throws -> Void) throws {
        try describing {
            let database = try SQLiteEnd.open(name, isTarget: false) {}
            defer { try? database.close() }  // one that does not close ends with the process
            try database.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA synchronous = FULL")
                try body(db)
                try db.checkpoint(.truncate)
            }
        }
    }

    /// Gives the pages of an older version's database checksums. Takes as long as writing the whole file anew.
    ///
    /// - Throws: ``VerificationProblem``
    package func finishMending() throws {
        do {
            try changing { db in if !PageChecksums.areThere(db) { try PageChecksums.add(db) } }
        } catch let error as DatabaseError {
            throw VerificationProblem.failed(at: name, reason: damage(in: error) ?? "\(error.words)")
        }
    }

    /// Writes the checksums of all pages as the pages are now. Whatever the file holds then counts as sound.
    ///
    /// - Throws: ``VerificationProblem`` if a log holds newer pages, or the disk fails.
    package func rewriteChecksums() throws {
        do { try PageChecksums.rewrite(path) } catch .hasLog {
            throw VerificationProblem.failed(
                at: name,
                reason: """
                    \(path)-wal has newer pages than the file: end the program that wrote it, or run `sqlite3 \(path) \
                    'PRAGMA wal_checkpoint(TRUNCATE)'`
                    """)
        } catch {
            throw VerificationProblem.failed(at: name, reason: "\(error)")
        }
    }

    package func damage(in error: any Error) -> String? {
        guard let error = error as? DatabaseError else { return nil }
        // A table or column that a damaged schema hides is an SQLITE_ERROR.
        guard error.tellsOfDamage || error.resultCode == .SQLITE_ERROR else { return nil }
        return "SQLite error \(error.extendedResultCode.rawValue), \(error.words)"
    }

    /// Tells failures that are no damage in the operator's words.
    private func describing<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let error as DatabaseError where damage(in: error) == nil {
            let (code, message) = (Int(error.extendedResultCode.rawValue), error.message ?? "unknown error")
            throw VerificationProblem.failed(
                at: name, reason: "\(StoreOpenError.database(path: path, code: code, message: message))")
        } catch let error as StoreOpenError {
            throw VerificationProblem.failed(at: name, reason: "\(error)")
        }
    }
}
