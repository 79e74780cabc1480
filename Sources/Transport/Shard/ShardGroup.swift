import Dispatch
import Synchronization

/// The shards of a node: one for each usable core, unless set otherwise.
package final class ShardGroup: Sendable {
    package let shards: [Shard]
    private let turn = Atomic(0)

    package convenience init(count: Int, poller: PollerKind) throws(SystemCallError) {
        var shards: [Shard] = []
        for index in 0..<count { shards.append(try Shard(index: index, poller: poller)) }
        self.init(shards)
    }

    package init(_ shards: [Shard]) { self.shards = shards }

    /// The next shard in rotation.
    package var next: Shard { shards[turn.wrappingAdd(1, ordering: .relaxed).oldValue % shards.count] }

    /// Runs `body`, and wakes each shard at most once for all letters that `body` posts to it.
    ///
    /// Otherwise each letter lets the shard interrupt a thread on the same core. From any thread.
    package func postTogether(_ body: () -> Void) {
        for shard in shards { shard.holdLetters() }
        body()
        for shard in shards { shard.releaseLetters() }
    }

    /// The number of open sockets on all shards.
    package var connectionCount: Int { shards.reduce(0) { $0 + $1.connectionCount } }

    /// Lets all connections finish their work; ``connectionCount`` tells when they have.
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
