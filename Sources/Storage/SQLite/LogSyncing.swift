import Synchronization

/// What the disk may miss of a write-ahead log, for the log itself and for whoever commits.
final class LogSyncing: Sendable {
    private let commits: Mutex<UnsyncedCommits>

    /// - Parameter longest: as in ``UnsyncedCommits``.
    init(longest: Duration) { commits = Mutex(UnsyncedCommits(longest: longest)) }

    /// As in ``UnsyncedCommits``.
    var deadline: ContinuousClock.Instant? { commits.withLock { $0.deadline } }

    /// As in ``UnsyncedCommits``.
    var areLost: Bool { commits.withLock { $0.areLost } }

    /// Runs `commit`, which makes one, without waiting for the disk if that may be.
    func leavingOut(_ commit: () throws -> Void) rethrows {
        commits.withLock { $0.leaveOutNext(at: .now) }
        defer { commits.withLock { $0.leaveOutNone() } }
        try commit()
    }

    func leavesOut(endsCommit: Bool) -> Bool { commits.withLock { $0.leavesOut(endsCommit: endsCommit) } }

    func synced(_ hasSucceeded: Bool) { commits.withLock { $0.synced(hasSucceeded) } }
}
