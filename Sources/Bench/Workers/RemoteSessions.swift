package import Foundation
import Synchronization

/// Sessions that another process holds: this program, started once more.
package final class RemoteSessions: SessionWorker {
    private typealias Waiting = CheckedContinuation<WorkerReply, any Error>

    private struct State {
        /// Who waits for an answer, in the order of the orders.
        var waiting: [Waiting] = []
        var partialLine: [UInt8] = []
        var hasEnded = false
    }

    package let delivered = FrameCounter()
    private let plan: SessionPlan
    private let credential: Credential?
    private let process: Mutex<Process>
    private let input: FileHandle
    private let state = Mutex(State())

    /// Starts the process.
    ///
    /// - Parameter arguments: what makes of the program a worker.
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
        self.process = Mutex(process)
        let output = replies.fileHandleForReading
        // A thread that waits, and no `readabilityHandler`: that is a Dispatch source whose descriptor the handle closes by
        // itself, and Dispatch's own loop has been seen to crash as a worker ended.
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

    private static let ended = BenchFailure("a worker process has ended by itself")

    @discardableResult
    private func give(_ order: WorkerOrder) async throws -> WorkerReply {
        let line = try WorkerLine.encode(order)
        let reply = try await withCheckedThrowingContinuation { (waiting: Waiting) in
            let error: (any Error)? = state.withLock { state in
                guard !state.hasEnded else { return Self.ended }
                do {
                    // Within the lock, so that answers come in the order of those who wait.
                    try input.write(contentsOf: line)
                    state.waiting.append(waiting)
                    return nil
                } catch {
                    return Self.ended
                }
            }
            if let error { waiting.resume(throwing: error) }
        }
        if case .failed(let reason) = reply { throw BenchFailure("a worker: \(reason)") }
        return reply
    }

    package func open() async throws { try await give(.open(plan, credential)) }

    package func measure(since moment: Int64) async throws {
        try await give(.measure(since: moment))
        delivered.set(0)
    }

    package func comeBack(rate: Double?, isEndless: Bool) async throws {
        try await give(.comeBack(rate: rate, isEndless: isEndless))
    }

    package func stay() async throws { try await give(.stay) }

    package func counts() async throws -> SessionCounts {
        guard case .counts(let counts) = try await give(.counts) else { throw Self.confused }
        return counts
    }

    package func tally() async throws -> SessionTally {
        guard case .tally(let tally) = try await give(.tally) else { throw Self.confused }
        return tally
    }

    private static let confused = BenchFailure("a worker process gave another answer than it was asked for")

    package func end() async throws {
        try await give(.end)
        try? input.close()  // the process may have gone first
        process.withLock { $0.waitUntilExit() }
    }
}
