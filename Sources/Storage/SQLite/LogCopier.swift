import GRDB
import Synchronization

/// Copies the writer's log to the database when it is long, between commits that nobody waits for any more.
final class LogCopier: Sendable {
    private let copying: Mutex<LogCopying>
    private let longest: Int

    /// - Parameters:
    ///   - length: with the room that there is.
    ///   - longest: in pages, wherever there is room.
    init(_ length: LogLength, longest: Int) {
        copying = Mutex(LogCopying(length))
        self.longest = longest
    }

    /// To be called outside of all transactions when a commit has been told, with the connection that writes. A failure fails no
    /// commit: the log becomes longer, and it is tried again.
    func committed(_ db: Database) {
        guard let frames = LogFile.frames(db), copying.withLock({ $0.isDue(frames: frames) }) else { return }
        let began = ContinuousClock.now
        let counts = try? db.checkpoint()
        let isWhole = counts.map { $0.walFrameCount == $0.checkpointedFrameCount } ?? false
        let took = isWhole ? began.duration(to: .now) : nil
        copying.withLock { $0.copied(frames: frames, took: took) }
    }

    /// Begins anew with an empty log, whose length is to suit the room there is now.
    func begin(_ db: Database) throws {
        let length = LogLength(of: db, longest: longest)
        try length.keep(db)
        copying.withLock { $0 = LogCopying(length) }
    }
}
