import Synchronization

extension SQLiteStore {
    /// The queue's length is of this moment: it is what operators watch. All else may be of a while ago where the store is
    /// large.
    package func statistics(completion: @escaping @Sendable (Result<StoreStatistics, StoreError>) -> Void) {
        wholeCount { [self] result in
            completion(
                result.map { counted in
                    var statistics = counted
                    statistics.pushJobsByProvider = waitingPushes.byProvider
                    statistics.pushJobs = statistics.pushJobsByProvider.values.reduce(0, +)
                    return statistics
                })
        }
    }

    private func wholeCount(completion: @escaping @Sendable (Result<StoreStatistics, StoreError>) -> Void) {
        switch statisticsRounds.withLock({ $0.asked(at: .now, completion) }) {
        case .answer(let statistics): completion(.success(statistics))
        case .wait: break
        case .count: count(on: StatisticsWalk())
        }
    }

    /// A step, and the next one behind the reads that have come meanwhile.
    private func count(on walk: StatisticsWalk) {
        let judge: @Sendable (Result<StatisticsWalk, StoreError>) -> Void = { [self] result in
            switch result {
            case .failure(let error):
                for completion in statisticsRounds.withLock({ $0.failed() }) { completion(.failure(error)) }
            case .success(let walk):
                switch statisticsRounds.withLock({ $0.stepped(walk, at: .now) }) {
                case .goOn: count(on: walk)
                case .goOnAndAnswer(let statistics, let completions):
                    count(on: walk)
                    for completion in completions { completion(.success(statistics)) }
                case .finish(let statistics, let completions):
                    for completion in completions { completion(.success(statistics)) }
                }
            }
        }
        read(judge) { [options] db in
            var walk = walk
            try walk.step(db, rows: options.countedRowsPerStep)
            return walk
        }
    }
}
