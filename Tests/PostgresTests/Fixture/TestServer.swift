import Foundation
import Glibc
import Testing

@testable import Postgres

/// The servers that `scripts/postgres-for-tests` started.
enum TestServer {
    private static let environment = ProcessInfo.processInfo.environment

    static let url = environment["BELFRY_TEST_POSTGRES"]
    private static let unsteadyURL = environment["BELFRY_TEST_POSTGRES_UNSTEADY"]

    /// - Parameter more: parameters of the URL.
    static func address(_ more: String = "") throws -> PostgresAddress {
        try PostgresAddress(#require(url) + more)
    }

    static func connection(_ options: PostgresOptions = .init()) throws -> PostgresConnection {
        try PostgresConnection(address(), options)
    }

    /// A connection of the server that tests may stop.
    static var unsteady: PostgresAddress { get throws { try PostgresAddress(#require(unsteadyURL)) } }

    /// - Parameter more: parameters of the URL.
    static func unsteadyURL(_ more: String) throws -> String { try #require(unsteadyURL) + more }

    private static var unsteadyFolder: String { get throws { try #require(try unsteady.hosts.first).name } }

    /// Stops the unsteady server at once, as a failure of power would, and returns when it is gone.
    static func stop() throws {
        let folder = try unsteadyFolder
        #expect(FileManager.default.createFile(atPath: folder + "/hold", contents: nil))
        let file = try String(contentsOfFile: folder + "/data/postmaster.pid", encoding: .utf8)
        let process = try #require(file.split(separator: "\n").first.flatMap { Int32($0) })
        #expect(kill(process, SIGINT) == 0)
        while kill(process, 0) == 0 { _ = poll(nil, 0, 5) }
    }

    /// Has it started again; it answers some time later.
    static func start() throws { try FileManager.default.removeItem(atPath: unsteadyFolder + "/hold") }
}

extension Trait where Self == ConditionTrait {
    static var needsServer: Self {
        .enabled(
            if: TestServer.url != nil,
            "BELFRY_TEST_POSTGRES is not set: scripts/postgres-for-tests scripts/swift-tests --filter PostgresTests")
    }
}
