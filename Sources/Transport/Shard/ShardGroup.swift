import Dispatch
import Synchronization

/// The shards of a node: as many as cores that it may use, unless told otherwise.
package final class ShardGroup: Sendable {
    package let shards: [Shard]
    private let turn = Atomic(0)

    package init(count: Int, poller: PollerKind) throws(SystemCallError) {
        var shards: [Shard] = []
        for index in 0..<count { shards.append(try Shard(index: index, poller: poller)) }
        self.shards = shards
    }

    /// Each shard in turn.
    package var next: Shard { shards[turn.wrappingAdd(1, ordering: .relaxed).oldValue % shards.count] }

    /// Runs `body`, and wakes each shard once at most for all that is posted to it meanwhile.
    ///
    /// A thread that shares its core with a shard is else interrupted by it at each letter. From any thread.
    package func postTogether(_ body: () -> Void) {
        for shard in shards { shard.holdLetters() }
        body()
        for shard in shards { shard.releaseLetters() }
    }

    /// How many sockets are open on all shards.
    package var connectionCount: Int { shards.reduce(0) { $0 + $1.connectionCount } }

    /// Has all connections finish what they have begun; ``connectionCount`` tells when they have.
    package func leave() {
        for shard in shards { shard.leave() }
    }

    package func stop(completion: @escaping @Sendable () -> Void) {
        let group = DispatchGroup()
        for shard in shards {
            group.enter()
            shard.stop { group.leave() }
        }
        group.notify(queue: .global(), execute: completion)
    }
}
