package import Inbox
package import Push
package import Store

/// Live Activities.
extension StoreEngine {
    package func leaseActivities(
        _ limit: Int, for provider: Device.Provider, at now: Timestamp, until leaseEnd: Timestamp,
        completion: @escaping @Sendable (Result<LeasedActivities, StoreError>) -> Void
    ) {
        let span = max(leaseEnd - now, .milliseconds(1))
        write(rows: max(1, limit), completion) { open in
            let now = open.present(now)
            return try ActivityLeasing(open: open, now: now).lease(limit, for: provider, until: now + span)
        }
    }

    package func settle(
        _ outcomes: [ActivityOutcome], at now: Timestamp,
        completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        write(rows: max(1, outcomes.count), completion) { open in
            try ActivityLeasing(open: open, now: open.present(now)).settle(outcomes)
        }
    }

    package func endActivityLeases(
        at now: Timestamp, completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        write(rows: 1, completion) { open in
            let now = open.present(now)
            try open.rows.activities.endLeases(at: now)
            open.tellActivity(due: now)
        }
    }

    // MARK: Apps

    package func register(
        activityTypes types: [String: String?], of device: ActivityAddress,
        completion: @escaping @Sendable (Result<ActivityRegistration, StoreError>) -> Void
    ) {
        write(for: device.user, completion) { open in
            // Its time is not used.
            try ActivityWriter(open: open, now: Timestamp(milliseconds: 0)).register(types: types, of: device)
        }
    }

    package func register(
        activityToken token: String, key: String, of device: ActivityAddress, at now: Timestamp,
        completion: @escaping @Sendable (Result<ActivityRegistration, StoreError>) -> Void
    ) {
        write(for: device.user, completion) { open in
            try ActivityWriter(open: open, now: now).register(token: token, key: key, of: device)
        }
    }

    package func dismissActivity(
        key: String, of device: ActivityAddress, at now: Timestamp,
        completion: @escaping @Sendable (Result<Bool, StoreError>) -> Void
    ) {
        write(for: device.user, completion) { open in
            try ActivityWriter(open: open, now: now).dismiss(key: key, of: device)
        }
    }

    package func activities(
        of user: UserID, completion: @escaping @Sendable (Result<[KnownActivity], StoreError>) -> Void
    ) {
        write(for: user, completion) { open in
            try ActivityWriter(open: open, now: Timestamp(milliseconds: 0)).activities(of: user)
        }
    }
}
