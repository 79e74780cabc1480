import Foundation
import Testing

/// An engine that keeps a store.
enum Engine: String, CaseIterable, Sendable {
    case memory
    case sqlite

    /// The engine of the stores that a test makes.
    @TaskLocal static var current = Engine.sqlite

    /// The engines that the conformance suite runs with: all, or the one that `ENGINE` names.
    static let tested = allCases.filter { $0.rawValue == ProcessInfo.processInfo.environment["ENGINE"] ?? $0.rawValue }
}

/// Runs each test once with every engine, as all of them promise the same.
struct EveryEngine: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        // Once for the suite itself, whose tests come here one by one.
        guard testCase != nil else { return try await function() }
        let engines = test.traits.contains { $0 is AboutCost } ? [.sqlite] : Engine.tested
        for engine in engines { try await Engine.$current.withValue(engine) { try await function() } }
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
