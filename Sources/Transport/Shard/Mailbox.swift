import Synchronization

/// What other threads want done on a shard, in order. Appending costs a lock and rarely a wake-up: only the append that
/// finds the shard unaware wakes it.
package final class Mailbox: Sendable {
    /// Not the closure by itself: an array of closures would wrap each in another one.
    package struct Letter: Sendable {
        package let read: @Sendable (borrowing OnShard) -> Void
    }

    private struct Contents {
        var letters: [Letter] = []
        /// The shard was woken, or is awake anyway, and has yet to look into the box.
        var willBeOpened = false
        /// How many hold the wake-up back because more is to come.
        var holds = 0
        var isClosed = false

        /// Whether nobody has woken the shard for what lies here; whoever asks does.
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

    /// The shard is at work, and calls ``takeAll(into:looksAgain:)`` before it sleeps: until then nobody need wake it.
    func expectOpening() { contents.withLock { $0.willBeOpened = true } }

    /// The shard is about to sleep, and must be woken from now on; false if there is something to read before. Whoever
    /// holds the wake-up back wakes it for what lies there.
    func expectWaking() -> Bool {
        contents.withLock { contents in
            contents.willBeOpened = !contents.letters.isEmpty && contents.holds == 0
            return !contents.willBeOpened
        }
    }

    /// - Parameters:
    ///   - letters: empty; what comes next is gathered in its memory.
    ///   - looksAgain: the shard, once it has read them, calls this once more before it sleeps.
    func takeAll(into letters: inout [Letter], looksAgain: Bool) {
        contents.withLock { contents in
            contents.willBeOpened = looksAgain
            swap(&contents.letters, &letters)
        }
    }

    /// Nobody need wake the shard until as many ``release()`` as there were holds.
    func hold() { contents.withLock { $0.holds += 1 } }

    /// - Returns: whether the shard must be woken.
    func release() -> Bool {
        contents.withLock { contents in
            contents.holds -= 1
            return contents.needsWaking()
        }
    }

    /// From now on letters are thrown away: nobody reads them, and most hold on to the shard.
    func close() {
        let unread = contents.withLock { contents in
            contents.isClosed = true
            return exchange(&contents.letters, with: [])
        }
        // Released here: what a letter held may itself post one, and the lock is not recursive.
        withExtendedLifetime(unread) {}
    }
}
