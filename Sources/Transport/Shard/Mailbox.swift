import Synchronization

/// What other threads want done on a shard, in order. Appending costs a lock and rarely a wake-up: only the append that
/// finds the box empty wakes the shard.
package final class Mailbox: Sendable {
    package typealias Letter = @Sendable (borrowing OnShard) -> Void

    private let letters = Mutex<[Letter]>([])

    /// - Returns: whether the shard must be woken.
    func append(_ letter: @escaping Letter) -> Bool {
        letters.withLock { letters in
            letters.append(letter)
            return letters.count == 1
        }
    }

    func takeAll() -> [Letter] {
        letters.withLock { letters in
            defer { letters = [] }
            return letters
        }
    }
}
