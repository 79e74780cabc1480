package import Inbox
import Synchronization

/// How many live sessions each user has on this node; decides the grace of a push and enforces the limit of sessions.
///
/// Behind one lock, which only the coming and going of sessions and the store's writer take: never a delivery.
package final class Presence: Sendable {
    private let counts = Mutex<[UserID: Int]>([:])
    private let maximumSessionsPerUser: Int

    package init(maximumSessionsPerUser: Int) { self.maximumSessionsPerUser = maximumSessionsPerUser }

    /// Counts one more session; false if the user has as many as allowed.
    func join(_ user: UserID) -> Bool {
        counts.withLock { counts in
            let count = counts[user, default: 0]
            guard count < maximumSessionsPerUser else { return false }
            counts[user] = count + 1
            return true
        }
    }

    func leave(_ user: UserID) {
        counts.withLock { counts in
            guard let count = counts[user] else { return }
            counts[user] = count > 1 ? count - 1 : nil
        }
    }

    /// Whether anybody could acknowledge what this user is told now.
    package func isLive(_ user: UserID) -> Bool { counts.withLock { $0[user] != nil } }
}
