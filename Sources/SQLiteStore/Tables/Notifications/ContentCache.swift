import Inbox
import Store
import Synchronization

/// Contents by row number, shared by the writer and all readers, so that pages of many people share one object.
///
/// A row number is handed out once in the life of the process, even if its transaction is rolled back. So a number in
/// the cache never means two contents.
final class ContentCache: Sendable {
    private struct State {
        var recent: RecentCache<Int64, Content>
        var lastID: Int64
    }

    private let state: Mutex<State>

    /// - Parameter lastID: the highest row number in the database.
    init(capacity: Int, lastID: Int64) {
        state = Mutex(State(recent: RecentCache(capacity: capacity), lastID: lastID))
    }

    func content(_ id: Int64) -> Content? { state.withLock { $0.recent.value(for: id) } }

    /// Returns the row number of a new content.
    func makeID() -> Int64 {
        state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
    }

    /// Keeps the new contents that are likely to be asked for.
    func add(_ contents: [NewContent]) {
        guard contents.contains(where: \.isLikelyAskedFor) else { return }
        state.withLock { state in
            for new in contents where new.isLikelyAskedFor { state.recent.add(new.content, for: new.id) }
        }
    }

    func keep(_ content: Content, as id: Int64) { state.withLock { $0.recent.keep(content, for: id) } }
}
