import Deliveries
import Dispatch
package import Inbox
package import Store
import Synchronization

extension SQLiteStore {
    /// The queue's length, which operators watch, is always current, as the writer counts it. All other counts of a
    /// large store may be older.
    package func statistics(
        at now: Timestamp, completion: @escaping @Sendable (Result<StoreStatistics, StoreError>) -> Void
    ) {
        guard !isClosed else { return completion(.failure(.closed)) }
        lastCounts(at: now) { [self] result in
            let counts: StoreCounts?
            switch result {
            case .success(let last): counts = last
            case .failure(.closed): return completion(.failure(.closed))
            // If nothing can be read, the queue's length matters most.
            case .failure: counts = nil
            }
            completion(
                .success(
                    StoreStatistics(
                        pushJobsByProvider: waitingPushes.by(options.providers), counts: counts,
                        remembered: inboxes.rememberedChanges)))
        }
    }

    private func lastCounts(at time: Timestamp, completion: @escaping StatisticsRounds.Completion) {
        switch statisticsRounds.withLock({ $0.asked(at: .now, completion) }) {
        case .answer(let counts): completion(.success(counts))
        case .answerAndCount(let counts):
            count(on: StatisticsWalk(at: time))
            completion(.success(counts))
        case .wait: break
        case .count: count(on: StatisticsWalk(at: time))
        }
    }

    /// Does one step, behind reads that came meanwhile.
    private func count(on walk: StatisticsWalk) {
        let judge: @Sendable (Result<(StatisticsWalk, cost: Duration), StoreError>) -> Void = { [self] result in
            switch result {
            case .failure(let error):
                switch statisticsRounds.withLock({ $0.failed(error) }) {
                case .goOn(let rest): count(on: walk, after: rest)
                case .giveUp(let completions):
                    for completion in completions { completion(.failure(error)) }
                }
            case .success((let walk, let cost)):
                switch statisticsRounds.withLock({ $0.stepped(walk, cost: cost, at: .now) }) {
                case .goOn(let rest): count(on: walk, after: rest)
                case .goOnAndAnswer(let rest, let counts, let completions):
                    count(on: walk, after: rest)
                    for completion in completions { completion(.success(counts)) }
                case .finish(let counts, let completions):
                    for completion in completions { completion(.success(counts)) }
                }
            }
        }
        readDatabase(judge) { [options] db in
            var walk = walk
            let cost = try ContinuousClock().measure { try walk.step(db, rows: options.countedRowsPerStep) }
            return (walk, cost: cost)
        }
    }

    private func count(on walk: StatisticsWalk, after rest: Duration) {
        guard rest > .zero else { return count(on: walk) }
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + rest / .seconds(1)) { [weak self] in
            // A store that is gone by then is not counted any more, and nobody waits for it.
            self?.count(on: walk)
        }
    }
}
