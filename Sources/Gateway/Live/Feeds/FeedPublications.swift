import Inbox
import Synchronization

/// How many items of each feed the store was given and has not yet committed or refused. A walk over a thousand
/// sessions may wait for the next one.
final class FeedPublications: Sendable {
    private let counts = Mutex<[ExactText: Int]>([:])

    /// Notes items that are about to be given to the store.
    func begin(_ items: Int, of feed: String) { counts.withLock { $0[ExactText(feed), default: 0] += items } }

    /// Notes that items were committed, before anybody is told of them, or were refused.
    func end(_ items: Int, of feed: String) {
        guard items > 0 else { return }
        counts.withLock { counts in
            guard let place = counts.index(forKey: ExactText(feed)) else { return }
            if counts.values[place] > items { counts.values[place] -= items } else { counts.remove(at: place) }
        }
    }

    func arePending(of feed: String) -> Bool { counts.withLock { $0[ExactText(feed)] != nil } }
}
