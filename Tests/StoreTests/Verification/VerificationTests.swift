import Foundation
import GRDB
import Inbox
import Migration
import Postgres
import PostgresStore
import Push
import SQLiteStore
import Store
import Testing

@testable import Verification

/// What `belfry verify` finds in a store, and what it mends.
struct VerificationTests {
    private static let rules = VerificationRules(providers: .standard)
    private static let engines = Engine.tested.filter { $0 != .memory }

    /// Runs `body` with the folder of a store with rows of each kind, which is closed.
    private func withHistory(
        of engine: Engine, seed: UInt64 = 3, _ body: @escaping @Sendable (_ folder: String) async throws -> Void
    ) async throws {
        let run: @Sendable () async throws -> Void = {
            let fixture = try StoreFixture(yaml: StoreHistory.yaml, StoreHistory.configure)
            var history = try await StoreHistory(fixture, seed: seed)
            for _ in 0..<200 { try await history.step() }
            try await history.finish()
            let result: Result<Void, any Error>
            do { result = .success(try await body(fixture.folder)) } catch { result = .failure(error) }
            await fixture.remove()
            try result.get()
        }
        try await Engine.$current.withValue(engine) {
            if engine == .postgres { try await StoreServer.places.use(run) } else { try await run() }
        }
    }

    /// Opens a closed store as `belfry verify` does, and closes it behind `body`.
    private static func opened<Value>(
        _ folder: String, isForMending: Bool, _ body: (any VerifiedStore) throws -> Value
    ) throws -> Value {
        if Engine.current == .postgres {
            let store = try PostgresVerifiedStore(StoreServer.address(of: folder), isForMending: isForMending)
            defer { store.close() }
            return try body(store)
        }
        let store = try SQLiteVerifiedStore(folder: folder, isForMending: isForMending)
        defer { store.close() }
        return try body(store)
    }

    private static func report(_ folder: String) throws -> Verification.Report {
        try opened(folder, isForMending: false) { try Verification(of: $0, rules).check() }
    }

    private static func mend(_ folder: String) throws -> (mended: [Finding], report: Verification.Report) {
        try opened(folder, isForMending: true) { try Verification(of: $0, rules).mend() }
    }

    private static func run(_ statements: [String], in folder: String) throws {
        if Engine.current == .postgres {
            for statement in statements { try StoreServer.run(statement, in: folder) }
        } else {
            let database = try DatabaseQueue(path: folder + "/belfry.sqlite")
            try database.write { db in for statement in statements { try db.execute(sql: statement) } }
            try database.close()
        }
    }

    /// What a store is for, a line a row, without counts: mending counts anew.
    private static func lines(_ folder: String) throws -> Set<String> {
        try opened(folder, isForMending: false) { store in
            try store.atOneMoment { moment in
                var lines: Set<String> = []
                for (name, row, table) in [
                    ("person", "\"user\"", "inbox"),
                    ("row", "inbox || '.' || id || ' ' || content || ' ' || is_read || ' ' || is_seen", "notification"),
                    ("content", "id || ' ' || type", "content"),
                    ("device", "row || ' ' || inbox || ' ' || token", "device"),
                    ("push", "device || ' ' || notification", "\(store.dialect.jobs) AS job"),
                    ("item", "feed || ' ' || \"offset\"", "feed_item"), ("tag", "feed || ' ' || tag", "feed_tag"),
                    ("mark", "inbox || ' ' || feed || ' ' || viewed", "feed_mark"),
                    ("member", "topic || ' ' || inbox", "topic_member"), ("webhook", "id || ' ' || inbox", "webhook"),
                    ("event", "event || ' ' || page", "trail_event"),
                ] {
                    try moment.visit("SELECT CAST(\(row) AS text) FROM \(table)", [.text]) {
                        lines.insert("\(name) \($0[0].text ?? "")")
                    }
                }
                return lines
            }
        }
    }

    @Test(arguments: engines, [1, 2] as [UInt64])
    func `a store that was used in every way is sound`(_ engine: Engine, _ seed: UInt64) async throws {
        try await withHistory(of: engine, seed: seed) { folder in
            let report = try Self.report(folder)
            #expect(report.findings == [])
            #expect(report.rows > 100)
        }
    }

    @Test(arguments: engines)
    func `each wrong row is found, told without texts, and mended where that is possible`(
        _ engine: Engine
    ) async throws {
        try await withHistory(of: engine) { folder in
            let sound = try Self.lines(folder)
            let copy = try StoreCopy(of: folder)
            for plant in Plant.all {
                guard let statements = plant.statements(for: engine) else { continue }
                try copy.putBack()
                try Self.run(statements, in: folder)
                let findings = try Self.report(folder).findings
                let finding = findings.first { $0.check == plant.check }
                #expect(finding != nil, "\(plant) finds \(findings.map(\.check))")
                #expect(finding?.canBeMended == plant.canBeMended, "\(plant)")
                #expect(
                    findings.flatMap(\.examples).allSatisfy {
                        !$0.contains("renee") && $0.firstMatch(of: /text \d/) == nil
                    })
                let (mended, report) = try Self.mend(folder)
                if plant.canBeMended {
                    #expect(report.findings == [], "what is left of \(plant)")
                    #expect(mended.contains { $0.check == plant.check }, "\(plant)")
                } else {
                    #expect(report.findings.contains { $0.check == plant.check }, "\(plant)")
                }
                guard plant.canBeMended, !plant.isLoss else { continue }
                #expect(try sound.subtracting(Self.lines(folder)) == [], "what is lost with \(plant)")
            }
        }
    }
}
