package import Inbox
package import Store

/// People's inboxes: lists, resuming, commands.
extension StoreEngine {
    package func state(of user: UserID, completion: @escaping @Sendable (Result<InboxState, StoreError>) -> Void) {
        readInbox(of: user, completion) { _, inbox in inbox.state }
    }

    package func page(
        _ query: PageQuery, of user: UserID, completion: @escaping @Sendable (Result<Page, StoreError>) -> Void
    ) {
        readInbox(of: user, completion) { reads, inbox in
            try InboxList(reads: reads, inbox: inbox).page(query)
        }
    }

    package func groups(
        _ limit: Int, of user: UserID, completion: @escaping @Sendable (Result<GroupPage, StoreError>) -> Void
    ) {
        readInbox(of: user, completion) { reads, inbox in
            try InboxList(reads: reads, inbox: inbox).groups(limit)
        }
    }

    package func recover(
        _ user: UserID, from position: InboxPosition?,
        completion: @escaping @Sendable (Result<Recovery, StoreError>) -> Void
    ) {
        readInbox(of: user, completion) { [rules] reads, inbox in
            try InboxRecovery(reads: reads, inbox: inbox, rules: rules).recovery(from: position)
        }
    }

    /// Creates a missing inbox, and goes on.
    package func createInbox<Value: Sendable>(
        of user: UserID, _ completion: @escaping @Sendable (Result<Value, StoreError>) -> Void,
        then next: @escaping @Sendable () -> Void
    ) {
        let judge: @Sendable (Result<Void, StoreError>) -> Void = { result in
            switch result {
            case .success: next()
            case .failure(let error): completion(.failure(error))
            }
        }
        write(for: user, judge) { open in try open.createInbox(of: user) }
    }

    package func apply(
        _ command: InboxCommand, for user: UserID, at now: Timestamp,
        completion: @escaping @Sendable (Result<CommandOutcome, StoreError>) -> Void
    ) {
        write(for: user, completion) { open in try CommandWriter(open: open, now: now).apply(command, for: user) }
    }

    package func tryWriting(completion: @escaping @Sendable (Result<Void, StoreError>) -> Void) {
        write(completion) { open in try open.rows.tryWriting() }
    }
}
