import Inbox
import Store
import Synchronization

/// ``SeenTimes`` for many threads, fed by this node's commits and pushes.
final class SeenMeter: Sendable {
    /// Of a commit for very many people only the first ones are followed: its length must not show in its time.
    private static let followedPerCommit = 8

    private let times = Mutex(SeenTimes())

    func committed(_ commit: Commit, at now: Timestamp) {
        guard !commit.inboxes.isEmpty else { return }
        times.withLock { times in
            // By index: a copy of a delivery would count references to all its parts.
            for place in commit.inboxes.indices.prefix(Self.followedPerCommit) {
                let user = commit.inboxes[place].user
                switch commit.inboxes[place].change.kind {
                case .new, .update: times.came(to: user, at: now)
                case .read, .seen: times.looked(user, at: now)
                case .removed: break
                }
            }
        }
    }

    /// - Parameter users: those whose pushes were accepted.
    func pushed(to users: [UserID], at now: Timestamp) {
        if users.isEmpty { return }
        times.withLock { times in for user in users { times.pushed(to: user, at: now) } }
    }

    func forget(_ user: UserID) { times.withLock { $0.forget(user) } }

    var current: SeenTimes { times.withLock { $0 } }
}
