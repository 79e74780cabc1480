/// Whether a run waits for what cannot come any more: for lost frames, where a stream may have only so many
/// publications in flight.
struct StallWatch {
    /// A server that is started anew, or held up by its disk, goes on within that.
    static let patience = Duration.seconds(10)

    /// How many frames had come, and publications left, when there were more of them the last time.
    private var progress = 0
    /// When that was, or when the run was not held up the last time.
    private(set) var since: Int64

    init(since: Int64) { self.since = since }

    /// - Parameters:
    ///   - progress: how many frames have come, and publications have left.
    ///   - isHeldUp: whether all publications that may be in flight are, and all of them were answered.
    /// - Returns: whether that is so for longer than ``patience``.
    mutating func look(progress: Int, isHeldUp: Bool, at now: Int64) -> Bool {
        if progress != self.progress || !isHeldUp { (self.progress, since) = (progress, now) }
        return now - since > Self.patience.nanoseconds
    }
}
