import GRDB
import Testing

@testable import Storage

/// Which commits wait for the disk.
struct CommitSyncingTests {
    private let start = ContinuousClock.now

    /// Nothing is missing on the disk.
    private var synced: CommitSyncing {
        var syncing = CommitSyncing(at: start)
        syncing.synced()
        return syncing
    }

    @Test func `what was promised always waits`() {
        #expect(synced.waits(isPromised: true, at: start))
        #expect(CommitSyncing(at: start).waits(isPromised: true, at: start))
    }

    @Test func `what was not promised waits once the disk has been behind for long`() {
        var syncing = synced
        #expect(!syncing.waits(isPromised: false, at: start))
        syncing.committed(hasWaited: false, at: start)
        #expect(syncing.isBehind)
        let almost = start + CommitSyncing.longest - .milliseconds(1)
        #expect(!syncing.waits(isPromised: false, at: almost))
        syncing.committed(hasWaited: false, at: almost)
        #expect(syncing.waits(isPromised: false, at: start + CommitSyncing.longest))
    }

    @Test(arguments: [true, false])
    func `one that has waited takes all before it along`(_ isByCommit: Bool) {
        var syncing = synced
        syncing.committed(hasWaited: false, at: start)
        let later = start + CommitSyncing.longest
        if isByCommit { syncing.committed(hasWaited: true, at: later) } else { syncing.synced() }
        #expect(!syncing.isBehind)
        #expect(!syncing.waits(isPromised: false, at: later))
    }

    @Test func `what came before the first commit counts as missing`() {
        let syncing = CommitSyncing(at: start)
        #expect(syncing.isBehind)
        #expect(syncing.waits(isPromised: false, at: start + CommitSyncing.longest))
    }
}
