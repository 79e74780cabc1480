import Inbox
import Synchronization
import Transport

/// The sessions of this node whose clients poll, by their names.
final class OpenPolls: Sendable {
    /// Reaches a session's polls from any thread.
    struct Poll: Sendable {
        let user: UserID
        let shard: Shard
        let session: QueueBound<PollSession>

        func ask(after: Int, _ reply: HTTPReply) {
            shard.post { on in session.withState { $0 }.ask(after: after, reply, on) }
        }

        func end() { shard.post { on in session.withState { $0 }.end(on) } }
    }

    private let polls = Mutex<[String: Poll]>([:])

    func add(_ poll: Poll, named name: String) { polls.withLock { $0[name] = poll } }

    func remove(_ name: String) { polls.withLock { $0[name] = nil } }

    /// Nil if there is none, or if it is another person's.
    func poll(named name: String, of user: UserID) -> Poll? {
        polls.withLock { polls in polls[name].flatMap { $0.user == user ? $0 : nil } }
    }
}
