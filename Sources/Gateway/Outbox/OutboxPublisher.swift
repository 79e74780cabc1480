import Inbox
import JSON
import Store
import Transport
import WireProtocol

/// Publishes rows of the outbox as `POST /v1/events` does: with the same checks, limits and keys.
struct OutboxPublisher: Sendable {
    /// The first rows that were read without a mistake, all of one app.
    private struct Batch {
        var entries: [Publication.Entry] = []
        var rows: [Int64] = []
        var bytes = 0
        /// The owner of their keys.
        var owner = ""
    }

    /// How long a publisher without a quota rests, or one with too much under way.
    private static let rest = Duration.milliseconds(200)

    let node: Node
    let broadcaster: Broadcaster
    let publisher: Publisher

    /// Publishes the first of the rows that are alike, in one transaction, so that their order stays.
    ///
    /// - Parameter completion: runs once, on a queue of the store's or at once.
    func publish(_ rows: [OutboxRow], completion: @escaping @Sendable (OutboxMachine.Answer) -> Void) {
        let now = node.now()
        guard publisher.record?.hasQuota(at: now) ?? true, publisher.overload == nil,
            !node.publishLoad.isFull(for: publisher)
        else { return completion(.full(Self.rest)) }
        var batch = Batch()
        for row in rows {
            do throws(Problem) {
                guard try add(row, to: &batch, at: now) else { break }
            } catch {
                if batch.rows.isEmpty { return recall(row, error, completion) }
                break
            }
        }
        publish(batch, at: now, completion)
    }

    /// What a row's event is called, if it has no key.
    private static func key(of row: OutboxRow) -> String { "outbox-\(row.id)" }

    /// - Returns: false if the row's event belongs to another app.
    private func add(_ row: OutboxRow, to batch: inout Batch, at now: Timestamp) throws(Problem) -> Bool {
        let limit = node.settings.limits.bodyBytes
        guard row.event.count <= limit else {
            throw Problem(status: 413, code: "body_too_large", detail: "expected an event of at most \(limit) bytes")
        }
        let json = try JSONBody.node(row.event)
        let app = try EventIntake.app(of: json, given: publisher.app(given: nil), node)
        let owner = app.key(publisher.name)
        guard batch.rows.isEmpty || batch.owner == owner else { return false }
        let key = json["key"]?.string == nil ? Self.key(of: row) : nil
        // Its id begins with the time, by which trails are sorted.
        let entry = try EventIntake(node: node, app: app, publisher: publisher).entry(json, at: node.now(), key: key)
        batch.entries.append(entry)
        batch.rows.append(row.id)
        batch.bytes += row.event.count
        batch.owner = owner
        return true
    }

    private func publish(
        _ batch: Batch, at now: Timestamp, _ completion: @escaping @Sendable (OutboxMachine.Answer) -> Void
    ) {
        publisher.record?.takeAnyway(batch.rows.count, at: now)
        let share = node.publishLoad.takeAnyway(batch.bytes, by: publisher)
        let (rows, app) = (batch.rows, batch.entries[0].routed.event.app)
        let publication = Publication(publisher: batch.owner, entries: batch.entries, now: now)
        node.store.publish(publication) { [node, broadcaster] result in
            var settlement = OutboxSettlement()
            switch result {
            case .success(let outcomes):
                // An event for very many is on the disk. Its row need not wait until all have it.
                _ = broadcaster.takesOn(result) { _ in }
                share.accepted(outcomes.count)
                node.metrics.published(outcomes.count, in: app)
                settlement.stored = rows
            case .failure(.keyReused(let index)):
                node.metrics.eventsRefused.add()
                let problem = Problem(.keyReused(index: index), inArray: false)
                settlement.refused = [.init(row: rows[index], reason: problem.reason)]
            case .failure(let error):
                share.end()
                if case .failed = error { return completion(.failed) }
                return completion(.unavailable)
            }
            share.end()
            completion(.told(settlement))
        }
    }

    /// Settles a row that is refused, unless its event was stored before: then a crash has come before the row went.
    private func recall(
        _ row: OutboxRow, _ problem: Problem, _ completion: @escaping @Sendable (OutboxMachine.Answer) -> Void
    ) {
        let refuse: @Sendable (Problem) -> Void = { problem in
            if problem.status >= 500 { return completion(problem.status == 500 ? .failed : .unavailable) }
            var settlement = OutboxSettlement()
            settlement.refused = [.init(row: row.id, reason: problem.reason)]
            completion(.told(settlement))
        }
        // What the publisher may not do is refused in any case.
        guard problem.status != 403, let json = try? JSONBody.node(row.event) else {
            node.metrics.eventsRefused.add()
            return refuse(problem)
        }
        let app = try? publisher.app(given: nil)
        let refused = RefusedPublication(
            node: node, broadcaster: broadcaster,
            owners: (app.flatMap { $0 }.map { [$0] } ?? node.apps.candidates).map { $0.key(publisher.name) },
            problem: problem, events: EventIntake.keyed(json, requestKey: Self.key(of: row)))
        let known = refused.recall { result in
            switch result {
            case .success:
                var settlement = OutboxSettlement()
                settlement.stored = [row.id]
                completion(.told(settlement))
            case .failure(let problem): refuse(problem)
            }
        }
        if let known { refuse(known) }
    }
}

extension Problem {
    /// For the column `refusal`.
    fileprivate var reason: String {
        let place = pointer.map { " (\($0))" } ?? ""
        return "\(code)\(place): \(detail)"
    }
}
