import Inbox
import Store
import Synchronization
import Transport
import WireProtocol

/// One user's sessions on all shards.
extension LiveHub {
    /// The state of a session, as an operator sees it.
    struct SessionStatus: Sendable, Hashable {
        /// Whether its app is in the foreground, by its last word.
        let isActive: Bool
        /// Since it was opened.
        let minutes: Int
        /// The other end of the connection, which may be a proxy's.
        let address: IPAddress?
        /// What it was sent and has not taken.
        let waitingBytes: Int
        /// The newest change that it was told of; nil before it has caught up.
        let seq: Int64?
        /// Whether changes wait, or were left out, until it has taken what it was sent.
        let isBehind: Bool
    }

    /// Closes all of the user's sessions; `completion` gets their number, on one of the shards.
    func close(_ user: UserID, _ code: LiveCloseCode, completion: @escaping @Sendable (Int) -> Void) {
        let close: @Sendable (LiveShard, borrowing OnShard) -> [Int] = { live, on in
            let sessions = live.sessions(of: user)
            for session in sessions { session.close(code, on) }
            return [sessions.count]
        }
        gather(close) { completion($0.reduce(0, +)) }
    }

    /// Closes all sessions by tokens that no longer count; `completion` gets how many these revocations have ended here in
    /// all, on one of the shards.
    func end(by revocations: [Revocation], completion: @escaping @Sendable (Int) -> Void) {
        if revocations.isEmpty { return completion(0) }
        gather({ live, on in revocations.map { live.end(by: $0, on) } }, { completion($0.reduce(0, +)) })
    }

    func sessions(of user: UserID, completion: @escaping @Sendable ([SessionStatus]) -> Void) {
        gather({ live, on in live.sessions(of: user).map { $0.status(on) } }, completion)
    }

    /// Answers another node's question.
    func answer(_ question: NodeQuestion, _ reply: @escaping @Sendable ([Bool]) -> Void) {
        switch question {
        case .sessions(let user): sessions(of: user) { reply($0.map(\.isActive)) }
        case .disconnect(let user): close(user, .drain) { reply(Array(repeating: false, count: $0)) }
        case .revoke(let revocation): end(by: [revocation]) { reply(Array(repeating: false, count: $0)) }
        }
    }

    /// Asks every shard, and passes all answers on, on the shard that answers last.
    private func gather<Value: Sendable>(
        _ look: @escaping @Sendable (LiveShard, borrowing OnShard) -> [Value],
        _ completion: @escaping @Sendable ([Value]) -> Void
    ) {
        let answers = Answers<Value>(awaited: members.count)
        for member in members {
            member.shard.post { on in
                if let all = answers.add(look(member.live.withState { $0 }, on)) { completion(all) }
            }
        }
    }

    private final class Answers<Value: Sendable>: Sendable {
        private struct State {
            var values: [Value] = []
            var awaited: Int
        }

        private let state: Mutex<State>

        init(awaited: Int) { state = Mutex(State(awaited: awaited)) }

        /// Returns all values if these were the last.
        func add(_ values: [Value]) -> [Value]? {
            state.withLock { state in
                state.values += values
                state.awaited -= 1
                return state.awaited == 0 ? state.values : nil
            }
        }
    }
}
