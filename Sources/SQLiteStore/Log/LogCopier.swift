import GRDB
import Synchronization

/// Copies the writer's long log to the database, between commits that are told already.
final class LogCopier: Sendable {
    private let copying: Mutex<LogCopying>
    private let reserve = Mutex(DatabaseReserve())
    private let longest: Int

    /// - Parameters:
    ///   - length: suits the free room on the disk.
    ///   - longest: in pages, however much room there is.
    init(_ length: LogLength, longest: Int) {
        copying = Mutex(LogCopying(length))
        self.longest = longest
    }

    /// To be called with the writing connection, outside of all transactions, after a commit has been told.
    /// - Throws: `DatabaseError`, which harms no commit: the log grows, and copying is tried again. Does not throw if
    ///   the database is busy or the disk is full.
    func committed(_ db: Database) throws {
        keepAhead(db)
        guard let frames = LogFile.frames(db), copying.withLock({ $0.isDue(frames: frames) }) else { return }
        let began = ContinuousClock.now
        var isWhole = false
        defer {
            let took = isWhole ? began.duration(to: .now) : nil
            copying.withLock { $0.copied(frames: frames, took: took) }
        }
        do {
            let counts = try db.checkpoint()
            reserve.withLock { $0.wasCut() }
            keepAhead(db)
            isWhole = counts.walFrameCount == counts.checkpointedFrameCount
        } catch let error as DatabaseError where Self.passing.contains(error.resultCode) {}
    }

    private static let passing: [ResultCode] = [.SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_FULL, .SQLITE_INTERRUPT]

    /// Extends the database's file for the pages that the log may bring.
    private func keepAhead(_ db: Database) {
        guard let pages = LogFile.databasePages(db) else { return }
        reserve.withLock { $0.keepAhead(of: pages, db) }
    }

    /// Begins anew with an empty log, whose length suits the room that is free now.
    func begin(_ db: Database) throws {
        let length = LogLength(of: db, longest: longest)
        try length.limitFile(db)
        copying.withLock { $0 = LogCopying(length) }
        reserve.withLock { $0.wasCut() }
        keepAhead(db)
    }
}
