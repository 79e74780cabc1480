import Dispatch
import Inbox
import Logging
import Store
import Transport

/// Delivers events to audiences that are too large for one commit. It asks the store for the next page once the last
/// one is committed, so that other writes go in between.
package final class Broadcaster: Sendable {
    private struct State {
        var turns = BroadcastTurns()
        var answers = BroadcastAnswers()
        /// When the queue is looked at without another cause.
        var wakesAt: ContinuousClock.Instant?
    }

    private let node: Node
    private let state: QueueBound<State>

    package init(node: Node) {
        self.node = node
        state = QueueBound(State(), on: DispatchQueue(label: "belfry.broadcaster"))
    }

    /// Continues the deliveries that another process has begun and left.
    package func look() {
        node.store.openBroadcasts { [self] result in
            switch result {
            case .success(let events) where events.isEmpty: break
            case .success(let events):
                state.post { [self] state in
                    let added = events.filter { state.turns.add($0) }
                    if added.isEmpty { return }
                    node.logger.info(
                        "continuing the delivery of events in pages", metadata: ["count": "\(added.count)"])
                    step(&state)
                }
            case .failure(.closed), .failure(.damaged): break
            case .failure(let error):
                // The next event for many, or the next look, tries again.
                node.logger.error(
                    "events delivered in pages could not be read", metadata: ["reason": "\(error.reason)"])
            }
        }
    }

    /// Publishes like ``Store/publish(_:completion:)``. Answers once all named people are reached; an event for
    /// everybody is answered once it is taken in.
    ///
    /// - Parameter completion: runs on a queue of the store or of the broadcaster.
    func publish(
        _ publication: Publication,
        completion: @escaping @Sendable (Result<[PublishOutcome], StoreError>) -> Void
    ) {
        node.store.publish(publication) { [self] result in
            if !takesOn(result, completion) { completion(result) }
        }
    }

    /// Takes on the deliveries that a publication has begun.
    ///
    /// - Parameters:
    ///   - result: the store's answer.
    ///   - completion: runs on the broadcaster's queue, once all are reached.
    /// - Returns: false if there is nothing to deliver, as for most publications; `completion` is not called then.
    func takesOn(
        _ result: Result<[PublishOutcome], StoreError>,
        _ completion: @escaping @Sendable (Result<[PublishOutcome], StoreError>) -> Void
    ) -> Bool {
        guard case .success(let outcomes) = result, outcomes.contains(where: { $0.broadcast?.state == .working })
        else { return false }
        let broadcasts = outcomes.compactMap(\.broadcast).filter { $0.state == .working }
        state.post { [self] state in
            for broadcast in broadcasts { state.turns.add(broadcast.event) }
            if let due = state.answers.hold(outcomes, for: completion) { due.completion(due.result) }
            step(&state)
        }
        return true
    }

    private func step(_ state: inout State) {
        switch state.turns.next(at: .now) {
        case .rest: break
        case .wait(let moment): wake(at: moment, &state)
        case .deliver(let event):
            node.store.deliverPage(of: event, at: node.now(), route: route) { [self] result in
                self.state.post { [self] state in delivered(event, result, &state) }
            }
        }
    }

    /// Runs on the store's queue.
    private var route: @Sendable (Event) -> Result<RoutedEvent, EventProblem> {
        { [node] event in
            do throws(EventProblem) {
                return .success(try node.catalogs(of: event.app).route(event))
            } catch {
                return .failure(error)
            }
        }
    }

    private func delivered(_ event: String, _ result: Result<Broadcast?, StoreError>, _ state: inout State) {
        var due: [BroadcastAnswers.Due] = []
        switch result {
        case .success(let broadcast?) where broadcast.state == .working:
            state.turns.delivered(isOver: false)
        case .success(let broadcast):
            state.turns.delivered(isOver: true)
            tell(broadcast)
            due = state.answers.ended(event, broadcast)
        case .failure(let error) where error == .closed || error == .damaged:
            // This process delivers no more pages; a later one continues. A publisher whose commit was still on its way
            // asks again, and gets its answer.
            state.turns.delivered(isOver: true)
            for answer in state.answers.refused(as: error) { answer.completion(answer.result) }
            return
        case .failure(let error):
            state.turns.failed(at: .now)
            if error != .overloaded {
                node.logger.error(
                    "a page of an event could not be delivered; it is tried again",
                    metadata: ["event": "\(event)", "reason": "\(error.reason)"])
            }
        }
        for answer in due { answer.completion(answer.result) }
        step(&state)
    }

    private func tell(_ broadcast: Broadcast?) {
        guard let broadcast else { return }
        var metadata = Logger.Metadata.about(
            broadcast.app,
            [
                "event": "\(broadcast.event)", "recipients": "\(broadcast.recipients)", "total": "\(broadcast.total)",
            ])
        switch broadcast.state {
        case .working: break
        case .done: node.logger.info("an event has reached everybody", metadata: metadata)
        case .abandoned(let reason):
            metadata["reason"] = "\(reason)"
            node.logger.error("an event did not reach everybody", metadata: metadata)
        }
    }

    private func wake(at moment: ContinuousClock.Instant, _ state: inout State) {
        if let known = state.wakesAt, known <= moment { return }
        state.wakesAt = moment
        let delay = Int((moment - .now).milliseconds) + 1
        self.state.queue.asyncAfter(deadline: .now() + .milliseconds(max(1, delay))) { [self] in
            self.state.withState { state in
                state.wakesAt = nil
                step(&state)
            }
        }
    }
}
