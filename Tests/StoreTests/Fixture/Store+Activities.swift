import Inbox
import JSON
import Push
import Store
import Testing

extension Store {
    func leaseActivities(
        _ limit: Int = 10, for provider: Device.Provider = .apns, at now: Timestamp,
        lasting span: Duration = .seconds(30)
    ) async throws -> LeasedActivities {
        try await withCheckedThrowingContinuation { waiting in
            leaseActivities(limit, for: provider, at: now, until: now + span) { waiting.resume(with: $0) }
        }
    }

    func settle(_ job: ActivityJob, _ verdict: Verdict = .accepted, at now: Timestamp) async throws {
        try await withCheckedThrowingContinuation { waiting in
            settle([ActivityOutcome(job, verdict, jitter: 0)], at: now) { waiting.resume(with: $0) }
        }
    }

    func endActivityLeases(at now: Timestamp) async throws {
        try await withCheckedThrowingContinuation { waiting in
            endActivityLeases(at: now) { waiting.resume(with: $0) }
        }
    }

    @discardableResult
    func register(
        activityTypes types: [String: String?], of device: String = "phone", user: UserID = .ada
    ) async throws -> ActivityRegistration {
        try await withCheckedThrowingContinuation { waiting in
            register(activityTypes: types, of: ActivityAddress(user: user, app: "", device: device)) {
                waiting.resume(with: $0)
            }
        }
    }

    @discardableResult
    func register(
        activityToken token: String, key: String = "order-1", of device: String = "phone", user: UserID = .ada,
        at now: Timestamp
    ) async throws -> ActivityRegistration {
        try await withCheckedThrowingContinuation { waiting in
            register(
                activityToken: token, key: key, of: ActivityAddress(user: user, app: "", device: device), at: now
            ) { waiting.resume(with: $0) }
        }
    }

    func dismissActivity(
        _ key: String = "order-1", of device: String = "phone", user: UserID = .ada, at now: Timestamp
    ) async throws -> Bool {
        try await withCheckedThrowingContinuation { waiting in
            dismissActivity(key: key, of: ActivityAddress(user: user, app: "", device: device), at: now) {
                waiting.resume(with: $0)
            }
        }
    }

    func activities(of user: UserID = .ada) async throws -> [KnownActivity] {
        try await withCheckedThrowingContinuation { waiting in activities(of: user) { waiting.resume(with: $0) } }
    }
}

extension StoreFixture {
    /// A catalog whose events tell a Live Activity: in the app, too, or alone.
    static let orders = """
        catalog: orders
        events:
          ordered: {routes: [{to: people, type: ORDERED}]}
          moved: {routes: [{to: people, type: MOVED}]}
          delivered: {routes: [{to: people, type: DELIVERED}]}
        types:
          ORDERED:
            text: "Order {{order}}"
            activity:
              {event: start, key: "order-{{order}}", type: Order, attributes: {number: {value: order}},
               state: {step: {value: step}}, alert: {title: Order, body: "Order {{order}}", sound: default}}
          MOVED:
            text: "Order {{order}} moved"
            preferences: {inApp: never}
            activity: {event: update, key: "order-{{order}}", state: {step: {value: step}}}
          DELIVERED:
            text: "Order {{order}} is there"
            activity: {event: end, key: "order-{{order}}", state: {step: {value: step}}, dismissAfter: 0s}
        """

    /// Publishes one step of an order, and returns the event's id.
    @discardableResult
    func order(
        _ type: String, _ step: Int64, of order: Int64 = 1, to user: UserID = .ada, at now: Timestamp
    ) async throws -> String {
        let event = Event(
            type: type, to: [.init(name: "people", users: [user])], data: ["order": .int(order), "step": .int(step)])
        return try #require(try await publish(entry(event), at: now).first).event
    }

    /// What the trail tells of an event's activity.
    func activitySteps(_ event: String, of user: UserID = .ada) async throws -> [String] {
        try await steps(event, of: user).compactMap { step in
            if case .activity(let activity) = step { activity.description } else { nil }
        }
    }

    /// The only push that is due, on lease from now on.
    func activityJob(of provider: Device.Provider = .apns, at now: Timestamp) async throws -> ActivityJob {
        let jobs = try await store.leaseActivities(for: provider, at: now).jobs
        #expect(jobs.count == 1)
        return try #require(jobs.first)
    }

    /// An order whose activity runs on ada's phone, with the token bb.
    func running(at now: Timestamp) async throws {
        try await store.register(.phone(), for: .ada)
        try await store.register(activityTypes: ["Order": "aa"])
        try await order("ordered", 1, at: now)
        try await store.settle(activityJob(at: now), at: now)
        try await store.register(activityToken: "bb", at: now + .seconds(1))
    }
}
