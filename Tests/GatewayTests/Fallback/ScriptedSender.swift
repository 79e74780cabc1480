import Dispatch
import Gateway
import Inbox
import Push
import Synchronization
import Transport

/// A push service whose verdicts a test gives.
final class ScriptedSender: PushSender {
    struct Call: Sendable {
        let message: PushMessage
        let device: Device
        let time: Timestamp
        let isOnLaneQueue: Bool
        let answer: @Sendable (Verdict) -> Void

        /// That of the job, which numbers notifications of one inbox.
        var id: Int64 { message.notification?.sequence ?? 0 }
    }

    private static let isLaneQueue = DispatchSpecificKey<Bool>()

    let laneQueue: SerialQueue
    /// The sent pushes, call by call; ends when nobody holds the sender any more.
    let calls: AsyncStream<Call>
    private let report: AsyncStream<Call>.Continuation
    /// Nil: the test answers each call.
    private let verdict: Verdict?

    init(always verdict: Verdict? = nil) {
        (calls, report) = AsyncStream.makeStream()
        self.verdict = verdict
        let queue = DispatchQueue(label: "test.sender")
        queue.setSpecific(key: Self.isLaneQueue, value: true)
        laneQueue = .dispatch(queue)
    }

    deinit { report.finish() }

    func send(
        _ message: PushMessage, to device: Device, at now: Timestamp,
        completion: @escaping @Sendable (Verdict) -> Void
    ) {
        let isOnLaneQueue = DispatchQueue.getSpecific(key: Self.isLaneQueue) ?? false
        report.yield(
            Call(message: message, device: device, time: now, isOnLaneQueue: isOnLaneQueue, answer: completion))
        if let verdict { completion(verdict) }
    }

    func readKey() {}
    func close(completion: @escaping @Sendable () -> Void) { completion() }
}

/// A wall clock that runs as ever and jumps ahead when a test says so.
final class JumpingClock: Sendable {
    private struct State {
        var offset = Duration.zero
        var jumpAfterNextLook = Duration.zero
    }

    private let start = ContinuousClock.now
    private let state = Mutex(State())

    var now: Timestamp {
        state.withLock { state in
            defer {
                state.offset += state.jumpAfterNextLook
                state.jumpAfterNextLook = .zero
            }
            return .noon + (ContinuousClock.now - start) + state.offset
        }
    }

    func jump(_ span: Duration) { state.withLock { $0.offset += span } }

    func jumpAfterNextLook(_ span: Duration) { state.withLock { $0.jumpAfterNextLook = span } }
}
