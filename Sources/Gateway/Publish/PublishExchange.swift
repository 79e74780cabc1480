import Inbox
import JSON
import Store
import Transport
import WireProtocol

/// One publish, from the moment when the store has it to its answer.
///
/// One object, since it goes to the writer's thread and back. The answer is made where it is sent: all publishers wait
/// for the writer, which so has less to do. The shard's own objects are mostly released on the shard, too.
final class PublishExchange: Sendable {
    private let node: Node
    private let broadcaster: Broadcaster
    private let entries: [Publication.Entry]
    /// Whether the events came as an array, and are answered by one.
    private let isArray: Bool
    private let form: PublicationForm
    private let began: ContinuousClock.Instant
    /// Ended when the answer is given.
    private let share: PublishLoad.Share
    /// Nil if it is not traced.
    private let span: PublishSpan?
    private let reply: HTTPReply

    init(
        node: Node, broadcaster: Broadcaster, entries: [Publication.Entry], isArray: Bool, form: PublicationForm,
        began: ContinuousClock.Instant, share: PublishLoad.Share, span: PublishSpan? = nil,
        reply: HTTPReply
    ) {
        self.node = node
        self.broadcaster = broadcaster
        self.entries = entries
        self.isArray = isArray
        self.form = form
        self.began = began
        self.share = share
        self.span = span
        self.reply = reply
    }

    /// Takes in the store's answer.
    ///
    /// Runs on the store's queue. A closed, damaged or overloaded store refuses at once, on the shard, while the
    /// request is still being read. So the answer is always posted.
    func stored(_ result: Result<[PublishOutcome], StoreError>) {
        if !broadcaster.takesOn(result, { self.settled($0) }) { settled(result) }
    }

    private func settled(_ result: Result<[PublishOutcome], StoreError>) {
        reply.post { [self] on in answer(result, on) }
    }

    private func answer(_ result: Result<[PublishOutcome], StoreError>, _ on: borrowing OnShard) {
        // Reads the clock: the request may have come in this very turn.
        node.metrics.publishLatency.record(ContinuousClock.now - began)
        share.end()
        let response = response(to: result)
        guard let span else { return reply.send(response, on) }
        span.answered(result, entries, status: response.status)
        reply.send(response.adding("traceresponse", span.header), on)
    }

    private func response(to result: Result<[PublishOutcome], StoreError>) -> HTTPResponse {
        switch result {
        case .failure(let error):
            node.metrics.eventsRefused.add(entries.count)
            return form.placed(Problem(error, inArray: isArray)).response
        case .success(let outcomes):
            share.accepted(outcomes.count)
            node.metrics.published(outcomes.count, in: entries[0].routed.event.app)
            return .json(202) { json in
                if isArray {
                    json.array { json in
                        for (outcome, entry) in zip(outcomes, entries) {
                            EventIntake.write(outcome, of: entry, to: &json)
                        }
                    }
                } else if let outcome = outcomes.first {
                    EventIntake.write(outcome, of: entries[0], to: &json)
                }
            }
        }
    }
}
