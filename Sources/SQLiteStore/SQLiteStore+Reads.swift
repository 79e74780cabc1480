import Deliveries
package import Inbox
package import Push
package import Store

extension SQLiteStore {
    package func state(of user: UserID, completion: @escaping @Sendable (Result<InboxState, StoreError>) -> Void) {
        readInbox(of: user, completion) { _, inbox in inbox.state }
    }

    package func page(
        _ query: PageQuery, of user: UserID, completion: @escaping @Sendable (Result<Page, StoreError>) -> Void
    ) {
        readInbox(of: user, completion) { reader, inbox in try reader.page(query, of: inbox) }
    }

    package func groups(
        _ limit: Int, of user: UserID, completion: @escaping @Sendable (Result<GroupPage, StoreError>) -> Void
    ) {
        readInbox(of: user, completion) { reader, inbox in try reader.groups(limit, of: inbox) }
    }

    package func recover(
        _ user: UserID, from position: InboxPosition?,
        completion: @escaping @Sendable (Result<Recovery, StoreError>) -> Void
    ) {
        readInbox(of: user, completion) { [options] reader, inbox in
            try reader.recovery(
                of: inbox, from: position, changeLogLength: options.changeLogLength,
                firstPageLength: options.firstPageLength)
        }
    }

    package func rememberedState(of user: UserID) -> InboxState? {
        isClosed ? nil : inboxes.state(of: user)
    }

    package func rememberedRecovery(of user: UserID, from position: InboxPosition?) -> Recovery? {
        isClosed ? nil : inboxes.recovery(of: user, from: position)
    }

    package func installation(
        ofDevice id: String, app: String, of user: UserID?,
        completion: @escaping @Sendable (Result<Installation?, StoreError>) -> Void
    ) {
        read(completion) { [damage, options] db in
            try DeviceReader(db, options.providers, damage).installation(ofDevice: id, app: app, of: user)
        }
    }

    package func devices(of user: UserID, completion: @escaping @Sendable (Result<[Device], StoreError>) -> Void) {
        read(completion) { [damage, options] db in
            try DeviceReader(db, options.providers, damage).devices(of: user)
        }
    }

    /// Reads an inbox. A missing one is created first, so that its epoch holds from the first read on.
    private func readInbox<Value: Sendable>(
        of user: UserID, _ completion: @escaping @Sendable (Result<Value, StoreError>) -> Void,
        _ body: @escaping @Sendable (InboxReader, InboxRecord) throws -> Value
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
        readBriefly(judge) { [contents, damage] db in
            let reader = try InboxReader(db, contents, damage)
            return try reader.record(of: user).map { ($0.state, try body(reader, $0)) }
        }
    }

    private func createInbox<Value: Sendable>(
        of user: UserID, _ completion: @escaping @Sendable (Result<Value, StoreError>) -> Void,
        then next: @escaping @Sendable () -> Void
    ) {
        let judge: @Sendable (Result<Void, StoreError>) -> Void = { result in
            switch result {
            case .success: next()
            case .failure(let error): completion(.failure(error))
            }
        }
        write(judge) { open in .success(try open.createInbox(of: user)) }
    }
}
