/// Tells whether a run waits in vain: for lost frames, if a stream has a limit of publications in flight.
struct StallWatch {
    /// Longer than a server's restart, or a delay by its disk.
    static let patience = Duration.seconds(10)

    /// The number of received frames and sent publications at the last progress.
    private var progress = 0
    /// The time of the last progress, or of the last look at which the run was not held up.
    private(set) var since: Int64

    init(since: Int64) { self.since = since }

    /// - Parameters:
    ///   - progress: the number of received frames and sent publications.
    ///   - isHeldUp: whether the limit of publications in flight is reached, and all of them were answered.
    /// - Returns: whether that has lasted longer than ``patience``.
    mutating func look(progress: Int, isHeldUp: Bool, at now: Int64) -> Bool {
        if progress != self.progress || !isHeldUp { (self.progress, since) = (progress, now) }
        return now - since > Self.patience.nanoseconds
    }
}
