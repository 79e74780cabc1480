import GRDB
import Synchronization

/// Reads that wait for a reader. Those that wait together share a snapshot: to begin and end one costs as much as what
/// a client that comes back has read in it.
final class ReadQueue: Sendable {
    struct Read: Sendable {
        /// Gets the snapshot, or why there is none.
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
    ///   - readsPerSnapshot: so many share one at most, so that the readers share the work.
    init(readers: Int, readsPerSnapshot: Int = 32) {
        self.readers = readers
        self.readsPerSnapshot = readsPerSnapshot
    }

    /// - Returns: whether a reader is free: the caller has to begin with it what ``take()`` returns.
    func add(_ read: Read) -> Bool {
        state.withLock { state in
            state.waiting.append(read)
            guard state.busyReaders < readers else { return false }
            state.busyReaders += 1
            return true
        }
    }

    /// What a reader does next, in a snapshot that it takes after this call: a read sees all that was committed before
    /// it was added. Without any it is free.
    func take() -> [Read] {
        state.withLock { state in
            let reads = Array(state.waiting.prefix(readsPerSnapshot))
            state.waiting.removeFirst(reads.count)
            if reads.isEmpty { state.busyReaders -= 1 }
            return reads
        }
    }
}
