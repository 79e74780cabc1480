import Foundation
import Inbox
import Synchronization
import Testing

@testable import Storage

@Suite(.mayNotHang) struct LogSurveyTests {
    private static let pageBytes = 4_096
    private static let frameBytes = 24 + pageBytes

    /// A store's files as a process leaves them that is killed: `change` is made to the log, and `look` sees the copy.
    private func withCopy(
        changing change: (inout Data) -> Void, look: (String) async throws -> Void
    ) async throws {
        try await withStore { fixture in
            for number in 0..<4 { try await fixture.say("hi \(number)", to: .ada, at: .at(Int64(number))) }
            let copy = fixture.folder + "-copy"
            try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
            let file = "/belfry.sqlite"
            try FileManager.default.copyItem(atPath: fixture.folder + file, toPath: copy + file)
            var log = try Data(contentsOf: URL(fileURLWithPath: fixture.folder + file + "-wal"))
            change(&log)
            try log.write(to: URL(fileURLWithPath: copy + file + "-wal"))
            try await look(copy)
            try FileManager.default.removeItem(atPath: copy)
        }
    }

    @Test func `a log that is whole has nothing to tell`() async throws {
        try await withCopy(
            changing: { _ in },
            look: { folder in
                #expect(LogSurvey(ofDatabase: folder + "/belfry.sqlite") == nil)
            })
    }

    @Test func `a frame that is damaged is told, with the commits from there on, and the time of what is left`()
        async throws
    {
        try await withCopy(
            changing: { $0[32 + 2 * Self.frameBytes + 100] ^= 0xFF },
            look: { folder in
                let survey = try #require(LogSurvey(ofDatabase: folder + "/belfry.sqlite"))
                #expect(survey.damagedFrame == 3)
                #expect(survey.lostCommits > 0)
                let told = Mutex<[LogSurvey]>([])
                let opened = try StoreFixture(folder: folder) {
                    $0.onLostCommits = { survey, _ in told.withLock { $0.append(survey) } }
                }
                await opened.store.close()
                #expect(told.withLock { $0 } == [survey])
            })
    }

    @Test func `what lies behind the end of a log is none of it`() async throws {
        try await withCopy(
            changing: { $0.append(Data(repeating: 0x55, count: 3 * Self.frameBytes)) },
            look: { folder in
                #expect(LogSurvey(ofDatabase: folder + "/belfry.sqlite") == nil)
            })
    }

    @Test(arguments: [true, false])
    func `a log whose database is missing or empty is not opened`(_ isMissing: Bool) async throws {
        try await withCopy(
            changing: { _ in },
            look: { folder in
                let path = folder + "/belfry.sqlite"
                try FileManager.default.removeItem(atPath: path)
                if !isMissing { #expect(FileManager.default.createFile(atPath: path, contents: nil)) }
                #expect(throws: StoreOpenError.lostDatabase(path: path)) { _ = try StoreFixture(folder: folder) }
            })
    }
}
