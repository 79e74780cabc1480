import Inbox
import JSON
import Store
import WireProtocol

/// Refused events. If all of them were taken in before, the publisher gets the first answers again.
struct RefusedPublication: Sendable {
    let node: Node
    let broadcaster: Broadcaster
    /// The owners that the keys may have, as keys of their apps.
    let owners: [String]
    let problem: Problem
    /// Nil if they cannot have come before.
    let events: [KeyedEvent]?

    /// Returns the problem at once, without calling `completion`, if the store cannot know the events.
    ///
    /// - Parameter completion: gets the first answers, or the reason why there are none; runs on a queue of the store
    ///   or of the broadcaster.
    func recall(_ completion: @escaping @Sendable (Result<[PublishOutcome], Problem>) -> Void) -> Problem? {
        guard let events else {
            node.metrics.eventsRefused.add()
            return problem
        }
        let judge: @Sendable (Result<[PublishOutcome], StoreError>, String) -> Void = { [node] result, owner in
            switch result {
            case .success(let outcomes):
                node.metrics.published(outcomes.count, in: AppName(ofKey: owner))
                completion(.success(outcomes))
            case .failure(let error):
                node.metrics.eventsRefused.add()
                completion(.failure(Problem(error)))
            }
        }
        find(events, among: owners[...]) { [node, broadcaster, problem] result, owner in
            switch result {
            case .success(let outcomes?):
                let isTaken = broadcaster.takesOn(.success(outcomes)) { judge($0, owner) }
                if !isTaken { judge(.success(outcomes), owner) }
            case .success(nil):
                node.metrics.eventsRefused.add()
                completion(.failure(problem))
            case .failure(let error): judge(.failure(error), owner)
            }
        }
        return nil
    }

    /// The answers to the events of the first owner who has published all of them, and that owner; without one, nil and
    /// an empty text.
    private func find(
        _ events: [KeyedEvent], among owners: ArraySlice<String>,
        _ completion: @escaping @Sendable (Result<[PublishOutcome]?, StoreError>, _ owner: String) -> Void
    ) {
        guard let owner = owners.first else { return completion(.success(nil), "") }
        node.store.outcomes(ofRepeated: events, by: owner, at: node.now()) { [self] result in
            if case .success(nil) = result { return find(events, among: owners.dropFirst(), completion) }
            completion(result, owner)
        }
    }

    /// - Parameter isArray: whether the events came as an array, and are answered by one.
    static func response(to outcomes: [PublishOutcome], isArray: Bool) -> HTTPResponse {
        .json(202) { json in
            if isArray {
                json.array { json in
                    for outcome in outcomes { EventIntake.write(outcome, of: nil, to: &json) }
                }
            } else if let outcome = outcomes.first {
                EventIntake.write(outcome, of: nil, to: &json)
            }
        }
    }
}
