import Inbox
import JSON
import Storage
import Transport
import WireProtocol

/// `POST /v1/events` and `POST /v1/feeds/{feed}/items`.
struct PublishRoutes {
    let node: Node

    /// One event, or an array of events that are taken in together, all or none.
    ///
    /// - Parameter share: held until the answer is given.
    func publishEvents(
        _ request: HTTPRequest, from peer: Peer, _ share: PublishLoad.Share, _ reply: HTTPReply,
        _ on: borrowing OnShard
    ) {
        let began = on.now
        do throws(Problem) {
            let json = try JSONBody.parse(request.body)
            let isArray = json.array != nil
            let (entries, warnings) = try intake(json)
            let publication = Publication(publisher: peer.publisher, entries: entries, now: node.now())
            node.store.publish(publication) { [node] result in
                node.metrics.publishLatency.record(ContinuousClock.now - began)
                reply.send(Self.response(result, warnings: warnings, isArray: isArray, node.metrics))
                withExtendedLifetime(share) {}
            }
        } catch {
            reply.send(error.response, on)
        }
    }

    private func intake(_ json: JSONValue) throws(Problem) -> ([Publication.Entry], [[String]]) {
        let intake = EventIntake(node: node)
        guard let array = json.array else {
            let (entry, warnings) = try intake.entry(json)
            return ([entry], [warnings])
        }
        guard !array.isEmpty else {
            throw Problem(status: 422, code: "invalid_value", detail: "expected at least one event")
        }
        var entries: [Publication.Entry] = []
        var warnings: [[String]] = []
        for (index, element) in array.enumerated() {
            let (entry, itsWarnings) = try intake.entry(element, index: index)
            entries.append(entry)
            warnings.append(itsWarnings)
        }
        return (entries, warnings)
    }

    private static func response(
        _ result: Result<[PublishOutcome], StoreError>, warnings: [[String]], isArray: Bool, _ metrics: Metrics
    ) -> HTTPResponse {
        switch result {
        case .failure(let error):
            metrics.eventsRefused.add(warnings.count)
            return Problem(error, inArray: isArray).response
        case .success(let outcomes):
            metrics.eventsPublished.add(outcomes.count)
            return .json(202) { json in
                if isArray {
                    json.array { json in
                        for (outcome, warnings) in zip(outcomes, warnings) {
                            EventIntake.write(outcome, warnings: warnings, to: &json)
                        }
                    }
                } else if let outcome = outcomes.first {
                    EventIntake.write(outcome, warnings: warnings[0], to: &json)
                }
            }
        }
    }

    /// The body is the item: any JSON value.
    func publishItem(
        to feed: String, _ request: HTTPRequest, _ share: PublishLoad.Share, _ reply: HTTPReply,
        _ on: borrowing OnShard
    ) {
        do throws(Problem) {
            guard FeedName.isValid(feed) else {
                throw Problem(status: 422, code: "invalid_value", detail: "feed: \(FeedName.expectation)")
            }
            let item = FeedItem(feed: feed, json: try JSONBody.parse(request.body).encoded, publishedAt: node.now())
            node.store.append(item) { result in
                defer { withExtendedLifetime(share) {} }
                switch result {
                case .failure(let error): reply.send(Problem(error).response)
                case .success(let position):
                    reply.send(
                        .json(202) { json in
                            json.object { json in
                                json.member("feed", feed)
                                json.member("epoch", position.epoch)
                                json.member("offset", position.offset)
                            }
                        })
                }
            }
        } catch {
            reply.send(error.response, on)
        }
    }
}

extension Problem {
    /// A publication of one event has no places to point into.
    fileprivate init(_ error: StoreError, inArray: Bool) {
        self.init(error)
        if !inArray, case .keyReused = error { pointer = "/key" }
    }
}

extension Peer {
    /// The publisher is who the kernel says: scopes idempotency keys.
    var publisher: String { userID.map { "uid:\($0)" } ?? "anonymous" }
}
