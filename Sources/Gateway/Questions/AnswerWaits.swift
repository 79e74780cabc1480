import Dispatch
import Inbox
import Store
import Synchronization
import Transport

/// The calls that wait for answers: it tells each of commits that change an inbox it listens for.
package final class AnswerWaits: Sendable {
    /// More than this many calls would be a loop that has gone wrong.
    static let maximum = 1_000

    private struct Listener {
        let users: Set<UserID>
        let hear: @Sendable () -> Void
    }

    private struct Listeners {
        var byNumber: [UInt64: Listener] = [:]
        var last: UInt64 = 0
    }

    let queue = DispatchQueue(label: "belfry.answers")
    private let listeners: QueueBound<Listeners>
    private let count = Atomic(0)

    package init() { listeners = QueueBound(Listeners(), on: queue) }

    /// Hears of a commit. From any thread; costs nothing while nobody waits.
    func tell(_ commit: Commit) {
        guard count.load(ordering: .relaxed) > 0 else { return }
        let changed = Set(commit.inboxes.map(\.user) + commit.erased + commit.restarted)
        guard !changed.isEmpty else { return }
        listeners.post { listeners in
            for listener in listeners.byNumber.values where !listener.users.isDisjoint(with: changed) {
                listener.hear()
            }
        }
    }

    /// Takes a place for a call that waits; false if all are taken. From any thread.
    func enter() -> Bool {
        guard count.add(1, ordering: .relaxed).newValue <= Self.maximum else {
            leave()
            return false
        }
        return true
    }

    func leave() { count.subtract(1, ordering: .relaxed) }

    /// Has `hear` called on the queue for each commit that changes one of these people's inboxes. On the queue.
    /// - Returns: the number to end it with.
    func listen(for users: Set<UserID>, _ hear: @escaping @Sendable () -> Void) -> UInt64 {
        listeners.withState { listeners in
            listeners.last += 1
            listeners.byNumber[listeners.last] = Listener(users: users, hear: hear)
            return listeners.last
        }
    }

    /// On the queue.
    func end(_ number: UInt64) { listeners.withState { _ = $0.byNumber.removeValue(forKey: number) } }
}
