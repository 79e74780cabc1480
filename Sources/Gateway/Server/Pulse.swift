import Synchronization
import Transport

/// Checks whether all shards still get their turns.
package final class Pulse: Sendable {
    private let shards: [Shard]
    /// The shards that have not answered the last question.
    private let silent = Mutex<Set<Int>>([])

    init(of shards: [Shard]) { self.shards = shards }

    /// Asks each shard for a sign of life; returns at once.
    ///
    /// - Returns: whether all shards have answered the previous question.
    package func beat() -> Bool {
        let isWell = silent.withLock { silent in
            defer { silent = Set(shards.indices) }
            return silent.isEmpty
        }
        for (index, shard) in shards.enumerated() {
            shard.post { [self] _ in silent.withLock { _ = $0.remove(index) } }
        }
        return isWell
    }
}
