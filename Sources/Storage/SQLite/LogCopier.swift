import GRDB
import Synchronization

/// Copies the writer's log to the database when it is long, between commits that nobody waits for any more.
final class LogCopier: Sendable {
    private let copying: Mutex<LogCopying>
    private let reserve = Mutex(DatabaseReserve())
    private let longest: Int

    /// - Parameters:
    ///   - length: with the room that there is.
    ///   - longest: in pages, wherever there is room.
    init(_ length: LogLength, longest: Int) {
        copying = Mutex(LogCopying(length))
        self.longest = longest
    }

    /// To be called outside of all transactions when a commit has been told, with the connection that writes.
    /// - Throws: `DatabaseError`, of which no commit is the worse: the log becomes longer, and it is tried again. Not
    ///   where somebody else is at the database, or the disk is full.
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

    /// Has the database's file take what the log may bring.
    private func keepAhead(_ db: Database) {
        guard let pages = LogFile.databasePages(db) else { return }
        reserve.withLock { $0.keepAhead(of: pages, db) }
    }

    /// Begins anew with an empty log, whose length is to suit the room there is now.
    func begin(_ db: Database) throws {
        let length = LogLength(of: db, longest: longest)
        try length.limitFile(db)
        copying.withLock { $0 = LogCopying(length) }
        reserve.withLock { $0.wasCut() }
        keepAhead(db)
    }
}
