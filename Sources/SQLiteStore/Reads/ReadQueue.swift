import GRDB
import Synchronization

/// Reads that wait for a reader. Reads that wait together share a snapshot: beginning and ending one costs as much as
/// the read of a client that comes back.
final class ReadQueue: Sendable {
    struct Read: Sendable {
        /// Gets the snapshot, or the reason why there is none.
        let perform: @Sendable (Result<Database, any Error>) -> Void
    }

    private struct State {
        var waiting: [Read] = []
        var busyReaders = 0
    }

    private let state = Mutex(State())
    private let readers: Int
    private let readsPerSnapshot: Int

    /// - Parameters:
    ///   - readers: how many snapshots are read at the same time.
    ///   - readsPerSnapshot: how many reads share one at most, so that all readers get work.
    init(readers: Int, readsPerSnapshot: Int = 32) {
        self.readers = readers
        self.readsPerSnapshot = readsPerSnapshot
    }

    /// - Returns: whether a reader is free: the caller then starts it with the reads of ``take()``.
    func add(_ read: Read) -> Bool {
        state.withLock { state in
            state.waiting.append(read)
            guard state.busyReaders < readers else { return false }
            state.busyReaders += 1
            return true
        }
    }

    /// The reads that a reader performs next, in a snapshot that it takes after this call: so a read sees all commits
    /// before it was added. An empty list frees the reader.
    func take() -> [Read] {
        state.withLock { state in
            let reads = Array(state.waiting.prefix(readsPerSnapshot))
            state.waiting.removeFirst(reads.count)
            if reads.isEmpty { state.busyReaders -= 1 }
            return reads
        }
    }
}
