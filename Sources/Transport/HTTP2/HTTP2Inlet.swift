import Dispatch
import Synchronization

/// Where requests come in from other threads: what arrives before the shard looks costs it one letter.
final class HTTP2Inlet: Sendable {
    /// By reference, as it goes through several hands.
    final class Request: Sendable {
        let request: HTTPClientRequest
        let deadline: ContinuousClock.Instant
        let completion: HTTP2Exchange.Completion

        init(
            _ request: HTTPClientRequest, deadline: ContinuousClock.Instant,
            completion: @escaping HTTP2Exchange.Completion
        ) {
            self.request = request
            self.deadline = deadline
            self.completion = completion
        }
    }

    private enum Phase {
        case open
        case closing([Closing])
        case ended
    }

    /// A closure in a generic box would be wrapped anew at each look.
    private struct Closing {
        let completion: @Sendable () -> Void
    }

    private struct Contents {
        var requests: [Request] = []
        weak var core: QueueBound<HTTP2ClientCore>?
        var phase = Phase.open
    }

    let shard: Shard
    private let contents = Mutex(Contents())

    init(_ shard: Shard) { self.shard = shard }

    /// Says who takes what arrives.
    func lead(to core: QueueBound<HTTP2ClientCore>) { contents.withLock { $0.core = core } }

    func send(_ request: Request) {
        let isFirst = contents.withLock { contents -> Bool? in
            guard case .open = contents.phase else { return nil }
            contents.requests.append(request)
            return contents.requests.count == 1
        }
        switch isFirst {
        case true?: post { core, on in core.takeRequests(on) }
        case false?: break
        case nil: shard.queue.async { request.completion(.failure(.closed)) }
        }
    }

    func takeRequests() -> [Request] {
        contents.withLock { contents in
            defer { contents.requests = [] }
            return contents.requests
        }
    }

    /// Runs `body` with the core on its shard, if that is still there.
    func post(_ body: @escaping @Sendable (HTTP2ClientCore, borrowing OnShard) -> Void) {
        shard.post { [self] on in
            guard let core = contents.withLock({ $0.core }) else { return }
            body(core.withState { $0 }, on)
        }
    }

    // MARK: Closing

    /// Takes no more requests from now on; false if that was said before.
    func close() -> Bool {
        contents.withLock { contents in
            guard case .open = contents.phase else { return false }
            contents.phase = .closing([])
            return true
        }
    }

    /// Everything is closed.
    func end() {
        let closings = contents.withLock { contents -> [Closing] in
            defer { contents.phase = .ended }
            guard case .closing(let closings) = contents.phase else { return [] }
            return closings
        }
        for closing in closings { closing.completion() }
    }

    /// Runs `completion` once everything is closed.
    func afterEnd(_ completion: @escaping @Sendable () -> Void) {
        let hasEnded = contents.withLock { contents in
            guard case .closing(let closings) = contents.phase else { return true }
            contents.phase = .closing(closings + [Closing(completion: completion)])
            return false
        }
        if hasEnded { completion() }
    }
}
