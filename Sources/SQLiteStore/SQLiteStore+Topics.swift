import Deliveries
package import Inbox
package import Store

extension SQLiteStore {
    package func replaceMembers(
        of topic: String, with users: [UserID],
        completion: @escaping @Sendable (Result<TopicOutcome, StoreError>) -> Void
    ) {
        work(on: TopicEdit(of: topic, replacingWith: users, as: options.makeEpoch()), completion)
    }

    package func changeMembers(
        of topic: String, adding newcomers: [UserID], removing leavers: [UserID],
        completion: @escaping @Sendable (Result<TopicOutcome, StoreError>) -> Void
    ) {
        work(on: TopicEdit(of: topic, adding: newcomers, removing: leavers), completion)
    }

    package func members(
        of topic: String, after user: UserID?, limit: Int,
        completion: @escaping @Sendable (Result<TopicPage?, StoreError>) -> Void
    ) {
        read(completion) { [damage] db in try TopicReader(db, damage).page(of: topic, after: user, limit: max(0, limit))
        }
    }

    package func topics(of user: UserID, completion: @escaping @Sendable (Result<[String], StoreError>) -> Void) {
        read(completion) { [damage] db in try TopicReader(db, damage).topics(of: user) }
    }

    package func isMember(
        _ user: UserID, of topic: String, completion: @escaping @Sendable (Result<Bool, StoreError>) -> Void
    ) {
        read(completion) { [damage] db in try TopicReader(db, damage).isMember(user, of: topic) }
    }

    /// Does one step, and the next behind writes that came meanwhile.
    private func work(
        on edit: TopicEdit, _ completion: @escaping @Sendable (Result<TopicOutcome, StoreError>) -> Void
    ) {
        let step = options.membersPerStep
        let judge: @Sendable (Result<TopicEdit, StoreError>) -> Void = { [self] result in
            switch result {
            case .success(let edit) where edit.position == .ended: completion(.success(edit.outcome))
            case .success(let edit): work(on: edit, completion)
            case .failure(let error): completion(.failure(error))
            }
        }
        let rows = max(1, min(step, edit.newcomers.count + edit.leavers.count))
        write(rows: rows, judge) { open in
            var edit = edit
            try TopicWriter(open: open).step(&edit, limit: step)
            return .success(edit)
        }
    }
}
