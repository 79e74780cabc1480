/// When the writer's log is copied to the database, and how long it may become before that.
///
/// While it is copied nothing is written, so what counts is how long that takes: on a fast disk a long log is copied as
/// quickly as a short one, as most of its pages are there several times and are copied once; on a slow one each page
/// counts.
struct LogCopying {
    /// Copying that takes no longer lets the log become twice as long.
    static let quick: Duration = .milliseconds(60)
    /// Copying that takes longer lets it become half as long.
    static let slow: Duration = .milliseconds(120)

    /// So many frames the log may have.
    private(set) var length: Int
    private let lengths: ClosedRange<Int>
    private var last = 0
    private var due: Int

    init(_ length: LogLength) {
        lengths = length.pages
        self.length = length.usual
        due = length.usual
    }

    /// Whether to copy it now.
    /// - Parameter frames: how many a commit has left there.
    mutating func isDue(frames: Int) -> Bool {
        // It has begun at its start again.
        if frames < last { (last, due) = (0, length) }
        return frames >= due
    }

    /// Takes in that it was copied.
    ///
    /// With all of it in the database, the next commit begins at the log's start, unless somebody reads an older state
    /// just then. Where it does not, or where not all could be copied, trying again with each commit would be too much.
    /// - Parameters:
    ///   - frames: as many as it had.
    ///   - took: until all of them were there; nil if some are not.
    mutating func copied(frames: Int, took: Duration?) {
        // What was copied before is not copied again, so only the first time tells how long all of it takes.
        if last == 0, let took {
            if took < Self.quick { length = min(length * 2, lengths.upperBound) }
            if took > Self.slow { length = max(length / 2, lengths.lowerBound) }
        }
        (last, due) = (frames, frames + length / (took == nil ? 4 : 16))
    }
}
