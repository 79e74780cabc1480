package import Inbox
package import Store

/// Events: pages for many, repetitions, dry runs, and what publishers do to earlier events.
extension StoreEngine {
    package func deliverPage(
        of event: String, at now: Timestamp,
        route: @escaping @Sendable (Event) -> Result<RoutedEvent, EventProblem>,
        completion: @escaping @Sendable (Result<Broadcast?, StoreError>) -> Void
    ) {
        write(rows: rules.recipientsPerPage, completion) { open in
            try BroadcastWriter(open: open).deliverPage(of: event, at: now, route: route)
        }
    }

    package func openBroadcasts(completion: @escaping @Sendable (Result<[String], StoreError>) -> Void) {
        read(completion) { reads in try reads.broadcasts.open() }
    }

    package func broadcast(
        of event: String, completion: @escaping @Sendable (Result<Broadcast?, StoreError>) -> Void
    ) {
        read(completion) { reads in try reads.broadcasts.broadcast(of: event) }
    }

    package func outcomes(
        ofRepeated events: [KeyedEvent], by publisher: String, at now: Timestamp,
        completion: @escaping @Sendable (Result<[PublishOutcome]?, StoreError>) -> Void
    ) {
        // Runs among the writes, as the first of these events may still wait for its commit.
        write(rows: events.count, isRehearsal: false, owner: publisher, completion) { open in
            .success(try PublishWriter(open: open).outcomes(ofRepeated: events, by: publisher, at: now))
        }
    }

    package func rehearse(
        _ publication: Publication, limit: Int,
        completion: @escaping @Sendable (Result<[Rehearsal], StoreError>) -> Void
    ) {
        let begun: @Sendable (Result<RehearsalPass, StoreError>) -> Void = { [self] result in
            guard case .success(let pass) = result, !pass.isOver else { return completion(result.map(\.result)) }
            work(
                rows: rules.recipientsPerPage, isRehearsal: true, owner: publication.publisher, from: pass,
                Self.passing(completion, \.result)
            ) { open, pass in
                try RehearsalWriter(open: open).goOn(&pass)
                return pass.isOver
            }
        }
        write(rows: publication.rows, isRehearsal: true, owner: publication.publisher, begun) { [rules] open in
            try RehearsalWriter(open: open).rehearse(publication, limit: limit, room: rules.rehearsedRecipients)
        }
    }

    package func retract(
        key: String, by publisher: String, catalogs: CatalogSet, at now: Timestamp,
        completion: @escaping @Sendable (Result<Retraction?, StoreError>) -> Void
    ) {
        let limit = rules.retractionsPerStep
        work(rows: limit, owner: publisher, from: Retraction?.none, completion) { open, sum in
            let writer = RetractWriter(open: open, catalogs: catalogs, now: now)
            guard let step = try writer.step(key: key, by: publisher, limit: limit) else { return true }
            sum = sum.map { step.retraction + $0 } ?? step.retraction
            return step.isLast
        }
    }

    package func patch(
        _ patch: NotificationPatch, completion: @escaping @Sendable (Result<Int, StoreError>) -> Void
    ) {
        write(
            rows: 1, isRehearsal: false, owner: patch.publisher, expecting: ExpectedPeople([patch.user]), completion
        ) { open in
            .success(try PatchWriter(open: open).write(patch))
        }
    }
}

extension Retraction {
    /// The sum of both, with the first one's event.
    fileprivate static func + (one: Retraction, other: Retraction) -> Retraction {
        Retraction(
            event: one.event, removed: one.removed + other.removed, updated: one.updated + other.updated,
            pushesCancelled: one.pushesCancelled + other.pushesCancelled, items: one.items + other.items)
    }
}
