/// Decides when the writer's log is copied to the database, and how long it may become before that.
///
/// No commit is written while the log is copied, so the time that takes decides. On a fast disk a long log is copied as
/// quickly as a short one: most of its pages are there several times and are copied once. On a slow disk each page
/// counts.
struct LogCopying {
    /// If copying takes less time, the log may become twice as long.
    static let quick: Duration = .milliseconds(60)
    /// If copying takes more time, the log may become half as long.
    static let slow: Duration = .milliseconds(120)

    /// How many frames the log may have.
    private(set) var length: Int
    private let lengths: ClosedRange<Int>
    private var last = 0
    private var due: Int

    init(_ length: LogLength) {
        lengths = length.pages
        self.length = length.usual
        due = length.usual
    }

    /// Whether to copy the log now.
    /// - Parameter frames: how many a commit has left in the log.
    mutating func isDue(frames: Int) -> Bool {
        // The log has begun at its start again.
        if frames < last { (last, due) = (0, length) }
        return frames >= due
    }

    /// Notes that the log was copied.
    ///
    /// Once all of it is in the database, the next commit begins at the log's start, unless a reader uses an older
    /// state just then. If it does not, or if a part could not be copied, copying again after each commit would cost
    /// too much.
    /// - Parameters:
    ///   - frames: how many frames the log had.
    ///   - took: how long it took to copy all of them; nil if some are left.
    mutating func copied(frames: Int, took: Duration?) {
        // A part that was copied before is not copied again, so only the first time tells how long the whole takes.
        if last == 0, let took {
            if took < Self.quick { length = min(length * 2, lengths.upperBound) }
            if took > Self.slow { length = max(length / 2, lengths.lowerBound) }
        }
        (last, due) = (frames, frames + length / (took == nil ? 4 : 16))
    }
}
