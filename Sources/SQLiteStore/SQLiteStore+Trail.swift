import Deliveries
package import Inbox
package import Store

extension SQLiteStore {
    package func trail(
        of query: TrailQuery, completion: @escaping @Sendable (Result<TrailReport?, StoreError>) -> Void
    ) {
        let jobs = pushJobs
        read(completion) { [damage, options] db in try TrailReader(db, jobs, options.providers, damage).report(query) }
    }

    package func trail(
        of user: UserID, before: String?, limit: Int,
        completion: @escaping @Sendable (Result<PersonalTrail?, StoreError>) -> Void
    ) {
        let (rows, jobs) = (options.trailRowsPerLook, pushJobs)
        read(completion) { [damage, options] db in
            try PersonalTrailReader(db, jobs, options.providers, damage, maximumRows: rows).trail(
                of: user, before: before, limit: limit)
        }
    }

    package func trail(
        of notification: NotificationID, user: UserID, firstName: @escaping @Sendable (Timestamp) -> String,
        completion: @escaping @Sendable (Result<NotificationTrail?, StoreError>) -> Void
    ) {
        let (rows, jobs) = (options.trailRowsPerLook, pushJobs)
        read(completion) { [damage, options] db in
            try NotificationTrailReader(db, jobs, options.providers, damage, maximumRows: rows)
                .trail(of: notification, user: user, firstName: firstName)
        }
    }

    package func outcomes(
        ofRepeated events: [KeyedEvent], by publisher: String, at now: Timestamp,
        completion: @escaping @Sendable (Result<[PublishOutcome]?, StoreError>) -> Void
    ) {
        // Runs among the writes, as the first of these events may still wait for its commit.
        write(rows: events.count, completion) { open in
            .success(try PublishWriter(open: open).outcomes(ofRepeated: events, by: publisher, at: now))
        }
    }

    package func rehearse(
        _ publication: Publication, limit: Int,
        completion: @escaping @Sendable (Result<[Rehearsal], StoreError>) -> Void
    ) {
        let room = options.rehearsedRecipients
        write(rows: publication.rows, isRehearsal: true, rehearsed(completion)) { open in
            try RehearsalWriter(open: open).rehearse(publication, limit: limit, room: room)
        }
    }

    /// Answers, or tries the next page behind writes that came meanwhile.
    private func rehearsed(
        _ completion: @escaping @Sendable (Result<[Rehearsal], StoreError>) -> Void
    ) -> @Sendable (Result<RehearsalPass, StoreError>) -> Void {
        { [self] result in
            switch result {
            case .failure(let error): completion(.failure(error))
            case .success(let pass) where pass.isOver: completion(.success(pass.result))
            case .success(let pass):
                write(rows: options.recipientsPerPage, isRehearsal: true, rehearsed(completion)) { open in
                    var pass = pass
                    try RehearsalWriter(open: open).goOn(&pass)
                    return .success(pass)
                }
            }
        }
    }

    package func retract(
        key: String, by publisher: String, catalogs: CatalogSet, at now: Timestamp,
        completion: @escaping @Sendable (Result<Retraction?, StoreError>) -> Void
    ) {
        retract(key, publisher, catalogs, now, soFar: nil, completion)
    }

    package func patch(
        _ patch: NotificationPatch, completion: @escaping @Sendable (Result<Int, StoreError>) -> Void
    ) {
        write(completion) { open in .success(try PatchWriter(open: open).write(patch)) }
    }

    /// Does one step, and the next behind writes that came meanwhile.
    private func retract(
        _ key: String, _ publisher: String, _ catalogs: CatalogSet, _ now: Timestamp, soFar: Retraction?,
        _ completion: @escaping @Sendable (Result<Retraction?, StoreError>) -> Void
    ) {
        let judge: @Sendable (Result<RetractWriter.Step?, StoreError>) -> Void = { [self] result in
            switch result {
            case .failure(let error): completion(.failure(error))
            case .success(nil): completion(.success(soFar))
            case .success(let step?):
                let sum = soFar.map { step.retraction + $0 } ?? step.retraction
                if step.isLast { return completion(.success(sum)) }
                retract(key, publisher, catalogs, now, soFar: sum, completion)
            }
        }
        let limit = options.retractionsPerStep
        write(rows: limit, judge) { open in
            .success(
                try RetractWriter(open: open, catalogs: catalogs, now: now).step(key: key, by: publisher, limit: limit))
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
