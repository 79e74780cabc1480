/// Which commits in the write-ahead log the disk may miss, and which wait for it.
///
/// A commit waits until the disk has it, unless it tells only what became of pushes. If a power cut takes such a one
/// along, its jobs are as they were before, as after a crash while these pushes were under way. So a crowd of them
/// waits for the disk now and then, and not hundreds of times a second. All of them are in the file: nothing is lost
/// with the process. And the log is read up to its first gap, so nothing that was promised is there without what came
/// before it.
struct UnsyncedCommits: Sendable {
    /// No commit that the disk misses is older, while commits go on or the writer has nothing to do.
    let longest: Duration
    /// When the first commit was made that the disk may miss; nil if it has all.
    private(set) var since: ContinuousClock.Instant?
    /// The disk has failed while commits were on their way to it. It may take what comes later and tell nothing of the
    /// gap, and what lies behind a gap is not read again: nothing may be promised any more.
    private(set) var areLost = false
    /// When the commit is made whose sync may be left out.
    private var leavingOutAt: ContinuousClock.Instant?

    init(longest: Duration) { self.longest = longest }

    /// Until when the disk is to have all; nil if it has.
    var deadline: ContinuousClock.Instant? { since.map { $0 + longest } }

    /// The commit that is about to be made need not wait for the disk.
    mutating func leaveOutNext(at now: ContinuousClock.Instant) {
        leavingOutAt = now < deadline ?? now + longest ? now : nil
    }

    /// The commit has been made, or not.
    mutating func leaveOutNone() { leavingOutAt = nil }

    /// SQLite wants the log to be synced.
    /// - Parameter endsCommit: whether a commit's last frame was the last that was written: another sync has other
    ///   reasons, and is never left out. SQLite syncs the log's header, so that no frame of an earlier log is taken for
    ///   one of this; and the whole log, before its pages go to the database.
    /// - Returns: whether to do nothing.
    mutating func leavesOut(endsCommit: Bool) -> Bool {
        guard endsCommit, let now = leavingOutAt else { return false }
        leavingOutAt = nil
        since = since ?? now
        return true
    }

    /// The disk was told to take all, and has or has not.
    mutating func synced(_ hasSucceeded: Bool) {
        if hasSucceeded { since = nil } else if since != nil { areLost = true }
    }
}
