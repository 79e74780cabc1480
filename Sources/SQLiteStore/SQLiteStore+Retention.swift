import Deliveries
package import Inbox
package import Store

extension SQLiteStore {
    package func trimInboxes(
        olderThan limit: Timestamp?, at now: Timestamp,
        completion: @escaping @Sendable (Result<Int, StoreError>) -> Void
    ) {
        look(TrimPass(limit: limit, now: now), completion)
    }

    package func sweepTrail(at now: Timestamp, completion: @escaping @Sendable (Result<Int, StoreError>) -> Void) {
        sweepTrail(at: now, soFar: 0, completion)
    }

    /// Does one step, and the next behind writes that came meanwhile.
    private func sweepTrail(
        at now: Timestamp, soFar: Int, _ completion: @escaping @Sendable (Result<Int, StoreError>) -> Void
    ) {
        let judge: @Sendable (Result<SweepStep, StoreError>) -> Void = { [self] result in
            switch result {
            case .failure(let error): completion(.failure(error))
            case .success(let step) where step.isLast: completion(.success(soFar + step.removed))
            case .success(let step): sweepTrail(at: now, soFar: soFar + step.removed, completion)
            }
        }
        write(rows: SweepStep.rows, judge) { open in .success(try open.sweep(at: now)) }
    }

    /// The progress of a pass through all inboxes.
    private struct TrimPass: Sendable {
        let limit: Timestamp?
        let now: Timestamp
        var afterInbox: Int64 = 0
        var removed = 0
    }

    /// Reads some inboxes, and queues writes only for those with rows to remove.
    private func look(_ pass: TrimPass, _ completion: @escaping @Sendable (Result<Int, StoreError>) -> Void) {
        let judge: @Sendable (Result<TrimReader.Finding, StoreError>) -> Void = { [self] result in
            switch result {
            case .failure(let error): completion(.failure(error))
            case .success(let finding):
                var next = pass
                next.afterInbox = finding.lastInbox
                trim(finding.users[...], next) { [self] result in
                    switch result {
                    case .failure(let error): completion(.failure(error))
                    case .success(let pass) where finding.isLast: completion(.success(pass.removed))
                    case .success(let pass): look(pass, completion)
                    }
                }
            }
        }
        read(judge) { [options, damage] db in
            try TrimReader(db, damage).users(
                after: pass.afterInbox, limit: options.inboxesPerLook, olderThan: pass.limit,
                maximumRows: options.maximumRows)
        }
    }

    private func trim(
        _ users: ArraySlice<UserID>, _ pass: TrimPass,
        _ completion: @escaping @Sendable (Result<TrimPass, StoreError>) -> Void
    ) {
        guard let user = users.first else { return completion(.success(pass)) }
        let step = options.erasuresPerStep
        let judge: @Sendable (Result<Int, StoreError>) -> Void = { [self] result in
            switch result {
            case .failure(let error): completion(.failure(error))
            case .success(let count):
                var pass = pass
                pass.removed += count
                // A full step may have left some rows.
                trim(count == step ? users : users.dropFirst(), pass, completion)
            }
        }
        write(rows: step, judge) { open in
            .success(try TrimWriter(open: open, now: pass.now).trim(user, olderThan: pass.limit, limit: step))
        }
    }
}
