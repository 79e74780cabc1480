import Storage

/// Answers to publishers that are held until all pages of their events are committed.
struct BroadcastAnswers {
    typealias Completion = @Sendable (Result<[PublishOutcome], StoreError>) -> Void

    /// An answer that is due, and whom it is for.
    struct Due {
        let result: Result<[PublishOutcome], StoreError>
        let completion: Completion
    }

    private struct Held {
        var outcomes: [PublishOutcome]
        var awaited: Set<String>
        let completion: Completion
    }

    private var held: [Held] = []

    /// Takes in what the store said of a publication; returns the answer if it need not wait.
    mutating func hold(_ outcomes: [PublishOutcome], for completion: @escaping Completion) -> Due? {
        let awaited = outcomes.compactMap(\.broadcast).filter { $0.state == .working && !$0.isForEverybody }
        if awaited.isEmpty { return Due(result: .success(outcomes), completion: completion) }
        held.append(Held(outcomes: outcomes, awaited: Set(awaited.map(\.event)), completion: completion))
        return nil
    }

    /// An event has reached everybody whom it will reach; returns the answers that waited for that alone.
    ///
    /// - Parameter broadcast: nil if the store does not know it any more.
    mutating func ended(_ event: String, _ broadcast: Broadcast?) -> [Due] {
        for index in held.indices where held[index].awaited.remove(event) != nil {
            guard let broadcast else { continue }
            for place in held[index].outcomes.indices where held[index].outcomes[place].event == event {
                let isReplay = held[index].outcomes[place].isReplay
                held[index].outcomes[place] = PublishOutcome(broadcast, isReplay: isReplay)
            }
        }
        let due = held.filter(\.awaited.isEmpty)
        held.removeAll(where: \.awaited.isEmpty)
        return due.map { Due(result: .success($0.outcomes), completion: $0.completion) }
    }

    /// The store delivers nothing any more: publishers are told why, and get their answer by their key once they come
    /// again.
    mutating func refused(as error: StoreError) -> [Due] {
        defer { held = [] }
        return held.map { Due(result: .failure(error), completion: $0.completion) }
    }
}
