import Inbox
import Synchronization

/// How many items of each feed the store was given and has not committed or refused: whoever is about to tell a
/// thousand sessions of one may wait for the next.
final class FeedPublications: Sendable {
    private let counts = Mutex<[ExactText: Int]>([:])

    /// The store is about to be given some.
    func begin(_ items: Int, of feed: String) { counts.withLock { $0[ExactText(feed), default: 0] += items } }

    /// They were committed, which is said before anybody is told of them, or they will not be.
    func end(_ items: Int, of feed: String) {
        guard items > 0 else { return }
        counts.withLock { counts in
            guard let place = counts.index(forKey: ExactText(feed)) else { return }
            if counts.values[place] > items { counts.values[place] -= items } else { counts.remove(at: place) }
        }
    }

    /// Whether there are any.
    func arePending(of feed: String) -> Bool { counts.withLock { $0[ExactText(feed)] != nil } }
}
