package import Foundation
import Synchronization

/// Sessions in another process, which runs this program too.
package final class RemoteSessions: SessionWorker {
    private typealias Waiting = CheckedContinuation<WorkerReply, any Error>

    private struct State {
        /// Waiting callers, in the order of their orders.
        var waiting: [Waiting] = []
        var partialLine: [UInt8] = []
        var hasEnded = false
        /// The last known state of its sessions.
        var counts = SessionCounts()
    }

    package let delivered = FrameCounter()
    package let process: ServerProcess?
    private let plan: SessionPlan
    private let credential: Credential?
    private let child: Mutex<Process>
    private let input: FileHandle
    private let state = Mutex(State())

    /// Starts the process.
    ///
    /// - Parameter arguments: make the program a worker.
    package init(_ plan: SessionPlan, credential: Credential?, program: URL, arguments: [String]) throws {
        self.plan = plan
        self.credential = credential
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        let (orders, replies) = (Pipe(), Pipe())
        process.standardInput = orders
        process.standardOutput = replies
        input = orders.fileHandleForWriting
        try process.run()
        self.process = try? ServerProcess(pid: process.processIdentifier)
        child = Mutex(process)
        let output = replies.fileHandleForReading
        // A waiting thread instead of a `readabilityHandler`: that handler is a Dispatch source whose descriptor the
        // handle closes by itself, and Dispatch's own loop has crashed when a worker ended.
        Thread.detachNewThread { [weak self] in
            while true {
                let bytes = Array(output.availableData)
                self?.take(bytes)
                if bytes.isEmpty { return }
            }
        }
    }

    private func take(_ bytes: [UInt8]) {
        var answered: [(Waiting, Result<WorkerReply, any Error>)] = []
        state.withLock { state in
            for byte in bytes {
                guard byte == UInt8(ascii: "\n") else {
                    state.partialLine.append(byte)
                    continue
                }
                let line = String(decoding: state.partialLine, as: UTF8.self)
                state.partialLine.removeAll(keepingCapacity: true)
                let reply = Result { try WorkerLine.decode(WorkerReply.self, from: line) }
                if case .success(.delivered(let count)) = reply {
                    delivered.set(count)
                } else if !state.waiting.isEmpty {
                    answered.append((state.waiting.removeFirst(), reply))
                }
            }
            if bytes.isEmpty {
                state.hasEnded = true
                answered += state.waiting.map { ($0, .failure(Self.ended)) }
                state.waiting = []
            }
        }
        for (waiting, reply) in answered { waiting.resume(with: reply) }
    }

    static let endedReason = "a worker process has ended by itself"
    private static let ended = BenchFailure(endedReason)

    private var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// Gives an order and ignores a worker that has ended: its sessions are lost, and the run goes on with the others.
    private func tell(_ order: WorkerOrder) async throws {
        do { try await give(order) } catch { if !hasEnded { throw error } }
    }

    @discardableResult
    private func give(_ order: WorkerOrder) async throws -> WorkerReply {
        let line = try WorkerLine.encode(order)
        let reply = try await withCheckedThrowingContinuation { (waiting: Waiting) in
            let error: (any Error)? = state.withLock { state in
                guard !state.hasEnded else { return Self.ended }
                do {
                    // Inside the lock, so that answers come in the order of the waiting callers.
                    try input.write(contentsOf: line)
                    state.waiting.append(waiting)
                    return nil
                } catch {
                    // Known before the reader has reached the end.
                    state.hasEnded = true
                    return Self.ended
                }
            }
            if let error { waiting.resume(throwing: error) }
        }
        if case .failed(let reason) = reply { throw BenchFailure("a worker: \(reason)") }
        return reply
    }

    package func open() async throws { try await tell(.open(plan, credential)) }

    package func measure(since moment: Int64) async throws {
        try await tell(.measure(since: moment))
        delivered.set(0)
    }

    package func comeBack(rate: Double?, isEndless: Bool) async throws {
        try await tell(.comeBack(rate: rate, isEndless: isEndless))
    }

    package func stay() async throws { try await tell(.stay) }

    package func counts() async throws -> SessionCounts {
        do {
            guard case .counts(let counts) = try await give(.counts) else { throw Self.confused }
            state.withLock { $0.counts = counts }
            return counts
        } catch {
            guard hasEnded else { throw error }
            return Self.lost(state.withLock { $0.counts }, of: plan.indices.count)
        }
    }

    /// The counts of its sessions, with all of them lost.
    static func lost(_ counts: SessionCounts, of sessions: Int) -> SessionCounts {
        var counts = counts
        counts.failures[endedReason, default: 0] += sessions - counts.failed
        (counts.ready, counts.underway) = (0, 0)
        return counts
    }

    package func tally() async throws -> SessionTally {
        do {
            guard case .tally(let tally) = try await give(.tally) else { throw Self.confused }
            return tally
        } catch {
            guard hasEnded else { throw error }
            return SessionTally()
        }
    }

    private static let confused = BenchFailure("a worker process gave another answer than it was asked for")

    package func end() async throws {
        try await tell(.end)
        try? input.close()  // the process may have gone first
        child.withLock { $0.waitUntilExit() }
    }
}
