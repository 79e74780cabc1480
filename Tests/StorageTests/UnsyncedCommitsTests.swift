import Testing

@testable import Storage

/// Which commits wait for the disk, and what it may miss.
struct UnsyncedCommitsTests {
    private let start = ContinuousClock.now
    private let longest = Duration.milliseconds(50)

    /// - Returns: whether the sync was left out.
    private func commit(
        _ commits: inout UnsyncedCommits, at time: ContinuousClock.Instant, mayBeLeftOut: Bool = true
    ) -> Bool {
        if mayBeLeftOut { commits.leaveOutNext(at: time) }
        defer { commits.leaveOutNone() }
        return sync(&commits)
    }

    /// - Returns: whether it was left out.
    private func sync(_ commits: inout UnsyncedCommits, endsCommit: Bool = true) -> Bool {
        let isLeftOut = commits.leavesOut(endsCommit: endsCommit)
        if !isLeftOut { commits.synced(true) }
        return isLeftOut
    }

    @Test func `a commit waits unless it need not`() {
        var commits = UnsyncedCommits(longest: longest)
        #expect(!commit(&commits, at: start, mayBeLeftOut: false))
        #expect(commits.since == nil)
        #expect(commit(&commits, at: start))
        #expect(commits.deadline == start + longest)
    }

    @Test func `while they go on, one waits once the disk has been behind for long, and takes all before it along`() {
        var commits = UnsyncedCommits(longest: longest)
        #expect(commit(&commits, at: start))
        #expect(commit(&commits, at: start + longest - .milliseconds(1)))
        #expect(commits.since == start)
        #expect(!commit(&commits, at: start + longest))
        #expect(commits.since == nil)
        #expect(commit(&commits, at: start + longest))
    }

    @Test func `only the sync of the one commit is left out, not the log's before its pages go to the database`() {
        var commits = UnsyncedCommits(longest: longest)
        commits.leaveOutNext(at: start)
        #expect(sync(&commits))
        #expect(!sync(&commits))
        #expect(commits.since == nil)
    }

    @Test func `a sync that no commit ends is never left out, and the commit's behind it may be`() {
        var commits = UnsyncedCommits(longest: longest)
        commits.leaveOutNext(at: start)
        #expect(!sync(&commits, endsCommit: false))
        #expect(sync(&commits))
    }

    @Test func `what was allowed to a commit without frames is allowed to no other`() {
        var commits = UnsyncedCommits(longest: longest)
        commits.leaveOutNext(at: start)
        commits.leaveOutNone()
        #expect(!sync(&commits))
    }

    @Test func `without any delay each commit waits`() {
        var commits = UnsyncedCommits(longest: .zero)
        #expect(!commit(&commits, at: start))
    }

    @Test func `a disk that fails while it is behind has lost commits, whatever it says later`() {
        var commits = UnsyncedCommits(longest: longest)
        commits.synced(false)
        #expect(!commits.areLost)
        #expect(commit(&commits, at: start))
        commits.synced(false)
        #expect(commits.areLost)
        commits.synced(true)
        #expect(commits.areLost)
    }
}
