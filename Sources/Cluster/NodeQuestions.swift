package import Store
import Synchronization

/// Questions to other nodes that wait for answers, and what answers those of others. From any thread.
package final class NodeQuestions: Sendable {
    package typealias Answering = @Sendable (NodeQuestion, _ reply: @escaping @Sendable ([Bool]) -> Void) -> Void

    private struct Open {
        var awaited: Int
        var sessions: [Bool] = []
        let completion: @Sendable ([Bool]) -> Void
    }

    private struct State {
        var last: Int64 = 0
        var open: [Int64: Open] = [:]
        var answering: Answering = { _, reply in reply([]) }
    }

    private let state = Mutex(State())

    package func onQuestion(_ answering: @escaping Answering) { state.withLock { $0.answering = answering } }

    /// Answers another node's question.
    func answer(_ question: NodeQuestion, _ reply: @escaping @Sendable ([Bool]) -> Void) {
        state.withLock(\.answering)(question, reply)
    }

    /// Opens a question to so many nodes, and returns its number.
    func ask(_ nodes: Int, _ completion: @escaping @Sendable ([Bool]) -> Void) -> Int64 {
        state.withLock { state in
            state.last += 1
            state.open[state.last] = Open(awaited: nodes, completion: completion)
            return state.last
        }
    }

    /// Takes in one node's answer; the last one completes the question.
    func answered(_ number: Int64, _ sessions: [Bool]) {
        let done: Open? = state.withLock { state in
            guard var open = state.open[number] else { return nil }
            open.sessions += sessions
            open.awaited -= 1
            state.open[number] = open.awaited > 0 ? open : nil
            return open.awaited > 0 ? nil : open
        }
        if let done { done.completion(done.sessions) }
    }

    /// Completes a question with the answers that have come.
    func giveUp(_ number: Int64) {
        if let open = state.withLock({ $0.open.removeValue(forKey: number) }) { open.completion(open.sessions) }
    }
}
