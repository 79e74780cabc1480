import Dispatch
import Synchronization

/// Takes batches of requests from any thread. Batches that arrive before the shard looks cost one letter together.
final class HTTP2Inlet: Sendable {
    private enum Phase {
        case open
        case closing([Closing])
        case ended
    }

    /// A struct, because a closure in a generic box would be wrapped anew at each look.
    private struct Closing {
        let completion: @Sendable () -> Void
    }

    private struct Contents {
        var batches: [HTTP2Batch] = []
        weak var core: QueueBound<HTTP2ClientCore>?
        var phase = Phase.open
    }

    let shard: Shard
    private let contents = Mutex(Contents())

    init(_ shard: Shard) { self.shard = shard }

    /// Sets the core that takes the batches.
    func lead(to core: QueueBound<HTTP2ClientCore>) { contents.withLock { $0.core = core } }

    func send(_ batch: HTTP2Batch) {
        let isFirst = contents.withLock { contents -> Bool? in
            guard case .open = contents.phase else { return nil }
            contents.batches.append(batch)
            return contents.batches.count == 1
        }
        switch isFirst {
        case true?: post { core, on in core.takeRequests(on) }
        case false?: break
        case nil: shard.queue.async { batch.fail(.closed) }
        }
    }

    func takeBatches() -> [HTTP2Batch] {
        contents.withLock { contents in
            defer { contents.batches = [] }
            return contents.batches
        }
    }

    /// Runs `body` with the core on its shard, if the core still exists.
    func post(_ body: @escaping @Sendable (HTTP2ClientCore, borrowing OnShard) -> Void) {
        shard.post { [self] on in
            guard let core = contents.withLock({ $0.core }) else { return }
            body(core.withState { $0 }, on)
        }
    }

    // MARK: Closing

    /// Refuses further requests; false if the inlet was closing before.
    func close() -> Bool {
        contents.withLock { contents in
            guard case .open = contents.phase else { return false }
            contents.phase = .closing([])
            return true
        }
    }

    /// Reports that all connections are closed.
    func end() {
        let closings = contents.withLock { contents -> [Closing] in
            defer { contents.phase = .ended }
            guard case .closing(let closings) = contents.phase else { return [] }
            return closings
        }
        for closing in closings { closing.completion() }
    }

    /// Runs `completion` after all connections are closed.
    func afterEnd(_ completion: @escaping @Sendable () -> Void) {
        let hasEnded = contents.withLock { contents in
            guard case .closing(let closings) = contents.phase else { return true }
            contents.phase = .closing(closings + [Closing(completion: completion)])
            return false
        }
        if hasEnded { completion() }
    }
}
