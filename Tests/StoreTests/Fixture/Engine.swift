import Foundation
import SQLiteStore
import Testing

/// An engine that keeps a store.
enum Engine: String, CaseIterable, Sendable {
    case memory
    case sqlite
    case postgres

    /// The engine of the stores that a test makes.
    @TaskLocal static var current = Engine.sqlite

    /// The engines that the conformance suite runs with: all, or the one that `BELFRY_ENGINE` names.
    static let tested: [Engine] = {
        guard let name = ProcessInfo.processInfo.environment["BELFRY_ENGINE"] else {
            return allCases.filter { $0 != .postgres || StoreServer.url != nil }
        }
        guard let engine = Engine(rawValue: name) else { preconditionFailure("BELFRY_ENGINE names no engine: \(name)") }
        return [engine]
    }()
}

/// Runs a test with two stores on the same rows, as two processes have them.
func withTwoStores(
    yaml: String = StoreFixture.yaml,
    _ configure: @escaping @Sendable (inout SQLiteStoreOptions) -> Void = { _ in },
    _ body: @escaping @Sendable (_ first: StoreFixture, _ second: StoreFixture) async throws -> Void
) async throws {
    try await Engine.$current.withValue(.postgres) {
        try await StoreServer.places.use {
            try await withStore(yaml: yaml, configure) { first in
                let second = try StoreFixture(folder: first.folder, yaml: yaml, configure)
                let result: Result<Void, any Error>
                do { result = .success(try await body(first, second)) } catch { result = .failure(error) }
                await second.store.close()
                try result.get()
            }
        }
    }
}

extension Trait where Self == ConditionTrait {
    /// For tests of several processes, which only PostgreSQL serves.
    static var ifPostgresIsTested: Self { .enabled(if: Engine.tested.contains(.postgres)) }
}

/// Runs each test once with every engine, as all of them promise the same.
struct EveryEngine: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        // Once for the suite itself, whose tests come here one by one.
        guard testCase != nil else { return try await function() }
        let isAboutCost = test.traits.contains { $0 is AboutCost }
        var failure: (any Error)?
        for engine in Engine.tested where engine == .sqlite || !isAboutCost {
            // A failure with one engine says nothing about the next.
            do {
                try await Engine.$current.withValue(engine) {
                    if engine == .postgres { try await StoreServer.places.use(function) } else { try await function() }
                }
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }
}

/// Marks a test about what something costs, which the reference engine does not promise.
struct AboutCost: TestTrait {}

extension Trait where Self == EveryEngine {
    static var everyEngine: Self { Self() }
}

extension Trait where Self == AboutCost {
    static var aboutCost: Self { Self() }
}
