package import Inbox
package import Store

/// What is too old, and what is left of erased people.
extension StoreEngine {
    package func sweepTrail(at now: Timestamp, completion: @escaping @Sendable (Result<Int, StoreError>) -> Void) {
        work(rows: SweepStep.rows, from: 0, completion) { open, removed in
            let step = try open.sweep(at: now)
            removed += step.removed
            return step.isLast
        }
    }

    // MARK: Trimming

    package func trimInboxes(
        olderThan limit: Timestamp?, at now: Timestamp,
        completion: @escaping @Sendable (Result<Int, StoreError>) -> Void
    ) {
        trim(TrimPass(limit: limit, now: now), Self.passing(completion, \.removed))
    }

    /// Reads some inboxes, and queues writes only for those with rows to remove.
    private func trim(_ pass: TrimPass, _ completion: @escaping @Sendable (Result<TrimPass, StoreError>) -> Void) {
        let judge: @Sendable (Result<CrowdedInboxes, StoreError>) -> Void = { [self] result in
            switch result {
            case .failure(let error): completion(.failure(error))
            case .success(let found):
                var pass = pass
                pass.afterInbox = found.lastInbox
                trim(found.users[...], pass) { [self] result in
                    guard case .success(let pass) = result, !found.isLast else { return completion(result) }
                    trim(pass, completion)
                }
            }
        }
        read(judge) { [rules] reads in
            try reads.inboxes.crowded(
                after: pass.afterInbox, limit: rules.inboxesPerLook, olderThan: pass.limit,
                maximumRows: rules.maximumRows)
        }
    }

    private func trim(
        _ users: ArraySlice<UserID>, _ pass: TrimPass,
        _ completion: @escaping @Sendable (Result<TrimPass, StoreError>) -> Void
    ) {
        guard let user = users.first else { return completion(.success(pass)) }
        let limit = rules.erasuresPerStep
        let trimmed: @Sendable (Result<TrimPass, StoreError>) -> Void = { [self] result in
            guard case .success(let pass) = result else { return completion(result) }
            trim(users.dropFirst(), pass, completion)
        }
        work(rows: limit, from: pass, trimmed) { open, pass in
            let count = try TrimWriter(open: open, now: pass.now).trim(user, olderThan: pass.limit, limit: limit)
            pass.removed += count
            // A full step may have left some rows.
            return count < limit
        }
    }

    // MARK: Erasing

    package func erase(
        _ user: UserID,
        completion: @escaping @Sendable (Result<ErasureReport, StoreError>) -> Void
    ) {
        let begun: @Sendable (Result<(Int64?, ErasureReport), StoreError>) -> Void = { [self] result in
            switch result {
            case .failure(let error): completion(.failure(error))
            case .success((let inbox, let report)):
                if let inbox { return goOnErasing(inbox, report, completion) }
                // An unknown person may be one whose erasure was interrupted, or is still under way.
                finishErasures(completion: Self.passing(completion) { _ in report })
            }
        }
        write(rows: rules.erasuresPerStep, begun) { open in
            var report = ErasureReport()
            let inbox = try EraseWriter(open: open).begin(user, &report)
            return (inbox, report)
        }
    }

    package func finishErasures(completion: @escaping @Sendable (Result<Int, StoreError>) -> Void) {
        finishErasures(soFar: 0, completion)
    }

    private func finishErasures(soFar: Int, _ completion: @escaping @Sendable (Result<Int, StoreError>) -> Void) {
        let found: @Sendable (Result<Int64?, StoreError>) -> Void = { [self] result in
            switch result {
            case .failure(let error): completion(.failure(error))
            case .success(nil): completion(.success(soFar))
            case .success(let inbox?):
                goOnErasing(inbox, ErasureReport()) { [self] result in
                    switch result {
                    case .failure(let error): completion(.failure(error))
                    case .success: finishErasures(soFar: soFar + 1, completion)
                    }
                }
            }
        }
        write(found) { open in try open.erasures.first() }
    }

    private func goOnErasing(
        _ inbox: Int64, _ report: ErasureReport,
        _ completion: @escaping @Sendable (Result<ErasureReport, StoreError>) -> Void
    ) {
        let limit = rules.erasuresPerStep
        work(rows: limit, from: report, completion) { open, report in
            try !EraseWriter(open: open).step(inbox: inbox, limit: limit, &report)
        }
    }
}

/// The progress of a pass through all inboxes.
private struct TrimPass: Sendable {
    let limit: Timestamp?
    let now: Timestamp
    var afterInbox: Int64 = 0
    var removed = 0
}
