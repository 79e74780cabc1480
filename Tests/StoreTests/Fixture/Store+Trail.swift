import Inbox
import JSON
import SQLiteStore
import Store
import Testing

extension Store {
    func trail(of query: TrailQuery) async throws -> TrailReport? {
        try await withCheckedThrowingContinuation { waiting in trail(of: query) { waiting.resume(with: $0) } }
    }

    func trail(of user: UserID, before: String? = nil, limit: Int = 100) async throws -> PersonalTrail? {
        try await withCheckedThrowingContinuation { waiting in
            trail(of: user, before: before, limit: limit) { waiting.resume(with: $0) }
        }
    }

    func trail(
        of notification: NotificationID, user: UserID, firstName: @escaping @Sendable (Timestamp) -> String
    ) async throws -> NotificationTrail? {
        try await withCheckedThrowingContinuation { waiting in
            trail(of: notification, user: user, firstName: firstName) { waiting.resume(with: $0) }
        }
    }

    func outcomes(
        ofRepeated events: [KeyedEvent], by publisher: String, at now: Timestamp
    ) async throws -> [PublishOutcome]? {
        try await withCheckedThrowingContinuation { waiting in
            outcomes(ofRepeated: events, by: publisher, at: now) { waiting.resume(with: $0) }
        }
    }

    func rehearse(_ publication: Publication, limit: Int = 100) async throws -> [Rehearsal] {
        try await withCheckedThrowingContinuation { waiting in
            rehearse(publication, limit: limit) { waiting.resume(with: $0) }
        }
    }

    func retract(
        _ key: String, by publisher: String = "backend", _ catalogs: CatalogSet, at now: Timestamp = .at(0)
    ) async throws -> Retraction? {
        try await withCheckedThrowingContinuation { waiting in
            retract(key: key, by: publisher, catalogs: catalogs, at: now) { waiting.resume(with: $0) }
        }
    }

    func patch(_ patch: NotificationPatch) async throws -> Int {
        try await withCheckedThrowingContinuation { waiting in self.patch(patch) { waiting.resume(with: $0) } }
    }
}

extension StoreFixture {
    /// Publishes one event and returns its id.
    func event(
        _ type: String, _ text: String = "hi", to users: UserID..., key: String? = nil, things: Int = 1,
        at now: Timestamp = .at(0)
    ) async throws -> String {
        let entry = try entry(type, text, to: users, key: key, things: things)
        return try #require(try await publish(entry, at: now).first).event
    }

    func report(_ event: String, of user: UserID? = nil) async throws -> TrailReport {
        try #require(try await store.trail(of: TrailQuery(.id(event), user: user)))
    }

    /// The steps of the only notification that the event made for the user.
    func steps(_ event: String, of user: UserID = .ada) async throws -> [TrailStep] {
        let recipients = try await report(event, of: user).recipients
        #expect(recipients.count == 1)
        return recipients.flatMap(\.steps).map(\.step)
    }

    static func catalogs(_ yaml: String = StoreFixture.yaml) throws -> CatalogSet {
        try CatalogSet([Catalog(yaml: yaml, file: "tests.yaml")])
    }
}
