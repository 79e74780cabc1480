import Synchronization

/// What other threads want done on a shard, in order. Appending costs a lock and rarely a wake-up: only the append that
/// finds the box empty wakes the shard.
package final class Mailbox: Sendable {
    package typealias Letter = @Sendable (borrowing OnShard) -> Void

    private struct Contents {
        var letters: [Letter] = []
        var isClosed = false
    }

    private let contents = Mutex(Contents())

    /// - Returns: whether the shard must be woken.
    func append(_ letter: @escaping Letter) -> Bool {
        contents.withLock { contents in
            guard !contents.isClosed else { return false }
            contents.letters.append(letter)
            return contents.letters.count == 1
        }
    }

    func takeAll() -> [Letter] {
        contents.withLock { contents in
            defer { contents.letters = [] }
            return contents.letters
        }
    }

    /// From now on letters are thrown away: nobody reads them, and most hold on to the shard.
    func close() {
        let unread = contents.withLock { contents in
            defer { contents = Contents(isClosed: true) }
            return contents.letters
        }
        // Released here: what a letter held may itself post one, and the lock is not recursive.
        withExtendedLifetime(unread) {}
    }
}
