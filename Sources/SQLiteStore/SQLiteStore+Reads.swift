package import Deliveries
package import Inbox
package import Store

extension SQLiteStore {
    package func rememberedState(of user: UserID) -> InboxState? {
        isClosed ? nil : inboxes.state(of: user)
    }

    package func rememberedRecovery(of user: UserID, from position: InboxPosition?) -> Recovery? {
        isClosed ? nil : inboxes.recovery(of: user, from: position)
    }

    package func readInbox<Value: Sendable>(
        of user: UserID, _ completion: @escaping @Sendable (Result<Value, StoreError>) -> Void,
        _ body: @escaping @Sendable (any InboxReads, InboxRecord) throws -> Value
    ) {
        let judge: @Sendable (Result<(InboxState, Value)?, StoreError>) -> Void = { [self] result in
            switch result {
            case .success(let (state, value)?):
                inboxes.endRead(of: user, state: state)
                completion(.success(value))
            case .success(nil):
                inboxes.endRead(of: user, state: nil)
                createInbox(of: user, completion) { [self] in readInbox(of: user, completion, body) }
            case .failure(let error):
                inboxes.endRead(of: user, state: nil)
                completion(.failure(error))
            }
        }
        inboxes.beginRead(of: user)
        readBriefly(judge) { [self] db in
            let reads = try facts(in: db).inboxes
            return try reads.record(of: user).map { ($0.state, try body(reads, $0)) }
        }
    }
}
