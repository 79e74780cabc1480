import Synchronization

/// Work that other threads post to a shard, in order. An append costs a lock and rarely a wake-up: the shard is woken
/// only if it does not yet know of a letter.
package final class Mailbox: Sendable {
    /// A struct, because an array would wrap each closure in another one.
    package struct Letter: Sendable {
        package let read: @Sendable (borrowing OnShard) -> Void
    }

    private struct Contents {
        var letters: [Letter] = []
        /// The shard was woken, or is awake anyway, and will open the mailbox.
        var willBeOpened = false
        /// The number of holders that delay the wake-up because they will post more.
        var holds = 0
        var isClosed = false

        /// Whether the shard must be woken for the letters here; the caller must then wake it.
        mutating func needsWaking() -> Bool {
            guard !letters.isEmpty, !willBeOpened, holds == 0 else { return false }
            willBeOpened = true
            return true
        }
    }

    private let contents = Mutex(Contents())

    /// - Returns: whether the shard must be woken.
    func append(_ letter: @escaping @Sendable (borrowing OnShard) -> Void) -> Bool {
        contents.withLock { contents in
            guard !contents.isClosed else { return false }
            contents.letters.append(Letter(read: letter))
            return contents.needsWaking()
        }
    }

    /// The shard is working, and calls ``takeAll(into:looksAgain:)`` before it sleeps: no letter need wake it until
    /// then.
    func expectOpening() { contents.withLock { $0.willBeOpened = true } }

    /// The shard is about to sleep, and letters must wake it from now on; false if there are letters to read first. If
    /// the wake-up is held back, its holder wakes the shard for the letters here.
    func expectWaking() -> Bool {
        contents.withLock { contents in
            contents.willBeOpened = !contents.letters.isEmpty && contents.holds == 0
            return !contents.willBeOpened
        }
    }

    /// - Parameters:
    ///   - letters: empty; its memory takes the next letters.
    ///   - looksAgain: whether the shard calls this again before it sleeps, after it has read the letters.
    func takeAll(into letters: inout [Letter], looksAgain: Bool) {
        contents.withLock { contents in
            contents.willBeOpened = looksAgain
            swap(&contents.letters, &letters)
        }
    }

    /// Delays wake-ups until ``release()`` was called as often as this method.
    func hold() { contents.withLock { $0.holds += 1 } }

    /// - Returns: whether the shard must be woken.
    func release() -> Bool {
        contents.withLock { contents in
            contents.holds -= 1
            return contents.needsWaking()
        }
    }

    /// Drops this and all later letters: the shard reads none, and most letters hold a reference to it.
    func close() {
        let unread = contents.withLock { contents in
            contents.isClosed = true
            return exchange(&contents.letters, with: [])
        }
        // Released here: an object in a letter may post another letter when it is freed, and the lock is not recursive.
        withExtendedLifetime(unread) {}
    }
}
