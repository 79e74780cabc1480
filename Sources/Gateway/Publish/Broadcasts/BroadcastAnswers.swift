import Store

/// Answers to publishers that are held until all pages of their events are committed.
struct BroadcastAnswers {
    typealias Completion = @Sendable (Result<[PublishOutcome], StoreError>) -> Void

    /// An answer that is due, with its receiver.
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

    /// Takes in the store's answer to a publication, and returns it if it need not wait.
    mutating func hold(_ outcomes: [PublishOutcome], for completion: @escaping Completion) -> Due? {
        let awaited = outcomes.compactMap(\.broadcast).filter { $0.state == .working && !$0.isForEverybody }
        if awaited.isEmpty { return Due(result: .success(outcomes), completion: completion) }
        held.append(Held(outcomes: outcomes, awaited: Set(awaited.map(\.event)), completion: completion))
        return nil
    }

    /// Notes that an event's delivery has ended, and returns the answers that waited only for that.
    ///
    /// - Parameter broadcast: nil if the store no longer knows it.
    mutating func ended(_ event: String, _ broadcast: Broadcast?) -> [Due] {
        for index in held.indices where held[index].awaited.remove(event) != nil {
            guard let broadcast else { continue }
            for place in held[index].outcomes.indices where held[index].outcomes[place].event == event {
                let before = held[index].outcomes[place]
                held[index].outcomes[place] = PublishOutcome(broadcast, isReplay: before.isReplay)
                held[index].outcomes[place].items = before.items
            }
        }
        let due = held.filter(\.awaited.isEmpty)
        held.removeAll(where: \.awaited.isEmpty)
        return due.map { Due(result: .success($0.outcomes), completion: $0.completion) }
    }

    /// Fails all held answers, as the store delivers nothing any more. Publishers that come again with their keys get
    /// their answers.
    mutating func refused(as error: StoreError) -> [Due] {
        defer { held = [] }
        return held.map { Due(result: .failure(error), completion: $0.completion) }
    }
}
