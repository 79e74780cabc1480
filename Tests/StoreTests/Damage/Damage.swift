import SQLiteStore
import Store

/// A change to the rows of a store that is closed.
struct Damage: Sendable {
    let sql: String
    let yaml: String
    /// Fills the store.
    let before: @Sendable (StoreFixture) async throws -> Void

    init(
        _ sql: String, yaml: String = StoreFixture.yaml, before: @escaping @Sendable (StoreFixture) async throws -> Void
    ) {
        (self.sql, self.yaml, self.before) = (sql, yaml, before)
    }

    /// Runs `body` with the store that is opened then.
    func meet(_ body: (StoreFixture, Told) async throws -> Void) async throws {
        let sound = try StoreFixture(yaml: yaml)
        try await before(sound)
        try await sound.run(sql)
        let told = Told()
        let fixture = try await sound.reopened(yaml: yaml) { $0.onDamagedRow = told.add }
        let result: Result<Void, any Error>
        do { result = .success(try await body(fixture, told)) } catch { result = .failure(error) }
        await fixture.remove()
        try result.get()
    }
}
