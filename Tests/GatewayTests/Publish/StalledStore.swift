import Inbox
import Store
import Synchronization

/// A store that takes publishes in and answers none before it is let.
final class StalledStore: RefusingStore {
    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var isStalled = true
        var mostWaiting = 0
    }

    private let state = Mutex(State())
    /// How many publishes wait, each time one more does.
    let counts: AsyncStream<Int>
    private let report: AsyncStream<Int>.Continuation

    init() { (counts, report) = AsyncStream.makeStream() }

    var mostWaiting: Int { state.withLock(\.mostWaiting) }

    func publish(
        _ publication: Publication, completion: @escaping @Sendable (Result<[PublishOutcome], StoreError>) -> Void
    ) {
        let outcomes = publication.entries.map {
            PublishOutcome(event: $0.id, recipients: 1, created: 1, updated: 0, suppressed: 0, isReplay: false)
        }
        let count: Int? = state.withLock { state in
            guard state.isStalled else { return nil }
            state.waiting.append { completion(.success(outcomes)) }
            state.mostWaiting = max(state.mostWaiting, state.waiting.count)
            return state.waiting.count
        }
        if let count { report.yield(count) } else { completion(.success(outcomes)) }
    }

    /// Waits until so many publishes wait.
    func awaitWaiting(_ count: Int) async {
        for await waiting in counts where waiting >= count { return }
    }

    /// Answers all that wait, and from now on at once.
    func goOn() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            state.isStalled = false
            return state.waiting
        }
        for answer in waiting { answer() }
    }

    var waitingRows: Int { state.withLock { $0.waiting.count } }
}
