package import Inbox
import Synchronization

/// A store's ``InboxMemory`` for its writer, readers and callers. One lock protects it, which is never held during a
/// read or a write, and which no delivery takes.
package final class SharedInboxMemory: Sendable {
    private let memory: Mutex<InboxMemory>

    /// - Parameters:
    ///   - inboxes: how many inboxes' positions are remembered.
    ///   - changeBytes: how many bytes their last changes may take.
    package init(inboxes: Int, changeBytes: Int) {
        memory = Mutex(InboxMemory(inboxes: inboxes, changeBytes: changeBytes))
    }

    package var rememberedChanges: RememberedChanges { memory.withLock { $0.rememberedChanges } }

    package func state(of user: UserID) -> InboxState? { memory.withLock { $0.state(of: user) } }

    package func recovery(of user: UserID, from position: InboxPosition?) -> Recovery? {
        // Made outside the lock, as it takes time with the square of the number of changes.
        memory.withLock { $0.missed(by: user, since: position) }?.recovery
    }

    package func beginRead(of user: UserID) { memory.withLock { $0.beginRead(of: user) } }
    package func endRead(of user: UserID, state: InboxState?) { memory.withLock { $0.endRead(of: user, state: state) } }
    package func apply(_ commit: Commit) { memory.withLock { $0.apply(commit) } }
}
