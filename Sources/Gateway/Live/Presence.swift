package import Inbox
import Synchronization

/// How many live sessions each user has on this node; decides the grace of a push and enforces the limit of sessions.
///
/// One lock protects it, which only coming and leaving sessions and the store's writer take, never a delivery.
package final class Presence: Sendable {
    private struct State {
        /// Small, since most of a user's memory here is this table.
        var counts: [UserID: UInt16] = [:]
        var settling = Settling(from: .now, for: .zero)
    }

    private let state = Mutex(State())
    private let maximumSessionsPerUser: UInt16

    package init(maximumSessionsPerUser: Int) { self.maximumSessionsPerUser = UInt16(clamping: maximumSessionsPerUser) }

    /// From now on, for so long, any user may be on the way back.
    package func settle(from now: ContinuousClock.Instant, for span: Duration) {
        state.withLock { $0.settling = Settling(from: now, for: span) }
    }

    /// Counts one more session; false if the user has as many as allowed.
    func join(_ user: UserID) -> Bool {
        state.withLock { state in
            let count = state.counts[user, default: 0]
            guard count < maximumSessionsPerUser else { return false }
            state.counts[user] = count + 1
            return true
        }
    }

    func leave(_ user: UserID) {
        state.withLock { state in
            guard let count = state.counts[user] else { return }
            state.counts[user] = count > 1 ? count - 1 : nil
        }
    }

    /// Whether the user may open one more session: a first check, which ``join(_:)`` repeats.
    func hasRoom(for user: UserID) -> Bool {
        state.withLock { $0.counts[user, default: 0] < maximumSessionsPerUser }
    }

    /// Whether the user has a session now.
    package func isConnected(_ user: UserID) -> Bool { state.withLock { $0.counts[user] != nil } }

    /// Whether the user may have a session that could acknowledge, as far as is known.
    package func isLive(_ user: UserID, at now: ContinuousClock.Instant) -> Bool {
        state.withLock { $0.counts[user] != nil || !$0.settling.isOver(at: now) }
    }
}
