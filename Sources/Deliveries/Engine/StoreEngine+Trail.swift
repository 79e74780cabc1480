package import Inbox
package import Push
package import Store

/// The decisions about people and their later steps.
extension StoreEngine {
    package func trail(
        of query: TrailQuery, completion: @escaping @Sendable (Result<TrailReport?, StoreError>) -> Void
    ) {
        read(completion) { reads in try EventTrail(reads: reads.trail).report(query) }
    }

    package func trail(
        of user: UserID, before: String?, limit: Int,
        completion: @escaping @Sendable (Result<PersonalTrail?, StoreError>) -> Void
    ) {
        read(completion) { [rules] reads in
            try PersonalTrails(reads: reads.trail, maximumRows: rules.trailRowsPerLook)
                .trail(of: user, before: before, limit: limit)
        }
    }

    package func trail(
        of notification: NotificationID, user: UserID, firstName: @escaping @Sendable (Timestamp) -> String,
        completion: @escaping @Sendable (Result<NotificationTrail?, StoreError>) -> Void
    ) {
        read(completion) { [rules] reads in
            try NotificationTrails(reads: reads.trail, maximumRows: rules.trailRowsPerLook)
                .trail(of: notification, user: user, firstName: firstName)
        }
    }

    package func note(
        _ retry: TrailRetry, of job: PushJob, at now: Timestamp,
        completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        write(for: job.user, completion) { open in
            // A new inbox of the same name has another number.
            guard let inbox = try open.knownInbox(of: job.user)?.id, inbox == job.message.notification?.inbox else {
                return
            }
            PushSettling(open: open, now: open.present(now)).note(.retried(retry), of: job)
        }
    }
}
