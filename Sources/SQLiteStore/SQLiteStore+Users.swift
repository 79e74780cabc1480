import Deliveries
package import Inbox
package import Store

extension SQLiteStore {
    package func write(
        _ profile: UserProfile, of user: UserID, at now: Timestamp,
        completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        write(completion) { open in
            .success(try UserWriter(open: open, now: now).write(profile, of: user))
        }
    }

    package func isKnown(_ user: UserID, completion: @escaping @Sendable (Result<Bool, StoreError>) -> Void) {
        read(completion) { [damage] db in try UserReader(db, damage).isKnown(user) }
    }

    package func profile(
        of user: UserID, completion: @escaping @Sendable (Result<UserProfile?, StoreError>) -> Void
    ) {
        read(completion) { [damage] db in try UserReader(db, damage).profile(of: user) }
    }

    package func user(
        withEmail email: String, completion: @escaping @Sendable (Result<UserID?, StoreError>) -> Void
    ) {
        read(completion) { [damage] db in try UserReader(db, damage).user(withEmail: email) }
    }

    package func erase(
        _ user: UserID, gone: @escaping @Sendable () -> Void,
        completion: @escaping @Sendable (Result<ErasureReport, StoreError>) -> Void
    ) {
        let begun: @Sendable (Result<(Int64?, ErasureReport), StoreError>) -> Void = { [self] result in
            switch result {
            case .failure(let error): completion(.failure(error))
            case .success(let (inbox, report)):
                gone()
                if let inbox { return goOnErasing(inbox, report, completion) }
                // An unknown person may be one whose erasure was interrupted, or is still under way.
                finishErasures { result in completion(result.map { _ in report }) }
            }
        }
        write(rows: options.erasuresPerStep, begun) { open in
            var report = ErasureReport()
            let inbox = try EraseWriter(open: open).begin(user, &report)
            return .success((inbox, report))
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
        write(found) { open in .success(try open.erasures.first()) }
    }

    /// Does one step, and the next behind writes that came meanwhile.
    private func goOnErasing(
        _ inbox: Int64, _ report: ErasureReport,
        _ completion: @escaping @Sendable (Result<ErasureReport, StoreError>) -> Void
    ) {
        let step = options.erasuresPerStep
        let judge: @Sendable (Result<(Bool, ErasureReport), StoreError>) -> Void = { [self] result in
            switch result {
            case .success((true, let report)): goOnErasing(inbox, report, completion)
            case .success((false, let report)): completion(.success(report))
            case .failure(let error): completion(.failure(error))
            }
        }
        write(rows: step, judge) { open in
            var report = report
            let isUnfinished = try EraseWriter(open: open).step(inbox: inbox, limit: step, &report)
            return .success((isUnfinished, report))
        }
    }
}
