import Inbox
import Synchronization

/// The ``InboxMemory`` of a store, for its writer, its readers and whoever asks: behind one lock, which is never held
/// during a read or a write, and which no delivery takes.
final class SharedInboxMemory: Sendable {
    private let memory: Mutex<InboxMemory>

    init(_ memory: InboxMemory) { self.memory = Mutex(memory) }

    var rememberedChanges: RememberedChanges { memory.withLock { $0.rememberedChanges } }

    func state(of user: UserID) -> InboxState? { memory.withLock { $0.state(of: user) } }

    func recovery(of user: UserID, from position: InboxPosition?) -> Recovery? {
        // What the changes come to is made out of the lock: it takes as long as they are many, squared.
        memory.withLock { $0.missed(by: user, since: position) }?.recovery
    }

    func beginRead(of user: UserID) { memory.withLock { $0.beginRead(of: user) } }
    func endRead(of user: UserID, state: InboxState?) { memory.withLock { $0.endRead(of: user, state: state) } }
    func apply(_ commit: Commit) { memory.withLock { $0.apply(commit) } }
}
