package import Inbox
package import Push

extension SQLiteStore {
    package func publish(
        _ publication: Publication, completion: @escaping @Sendable (Result<[PublishOutcome], StoreError>) -> Void
    ) {
        let rows = publication.entries.reduce(0) { sum, entry in
            entry.routed.groups.reduce(sum + 1) { $0 + $1.users.count }
        }
        write(rows: rows, completion) { open in try PublishWriter(open: open).publish(publication) }
    }

    package func apply(
        _ command: InboxCommand, for user: UserID, at now: Timestamp,
        completion: @escaping @Sendable (Result<CommandOutcome, StoreError>) -> Void
    ) {
        write(completion) { open in .success(try CommandWriter(open: open).apply(command, for: user)) }
    }

    package func acknowledge(_ user: UserID, upTo seq: Int64) {
        // One that is lost costs a push that was not needed; the next one covers it.
        let ignored: @Sendable (Result<Void, StoreError>) -> Void = { _ in }
        write(ignored) { open in .success(try PushWriter(open: open).acknowledge(user, upTo: seq)) }
    }

    package func append(
        _ item: FeedItem, completion: @escaping @Sendable (Result<FeedPosition, StoreError>) -> Void
    ) {
        write(completion) { open in .success(try FeedWriter(open: open).append(item)) }
    }

    package func register(
        _ device: Device, for user: UserID, completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        write(completion) { open in .success(try PushWriter(open: open).register(device, for: user)) }
    }

    package func leasePushJobs(
        _ limit: Int, at now: Timestamp, until leaseEnd: Timestamp,
        completion: @escaping @Sendable (Result<LeasedPushJobs, StoreError>) -> Void
    ) {
        write(rows: max(1, limit), completion) { open in
            .success(try PushWriter(open: open).lease(limit, at: now, until: leaseEnd))
        }
    }

    package func settle(
        _ job: PushJob, as action: PushAction, attempt: PushAttempt,
        completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        write(completion) { open in .success(try PushWriter(open: open).settle(job, as: action, attempt: attempt)) }
    }
}
