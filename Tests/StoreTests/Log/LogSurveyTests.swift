import Foundation
import Inbox
import Synchronization
import Testing

@testable import SQLiteStore
@testable import Store

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

    /// Bytes of a log that are changed, or cut off from a place on, and the frame that is told.
    private struct Damage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let frame: Int
        let change: @Sendable (inout Data) -> Void

        static func bytes(_ name: String, at place: Int, _ count: Int, frame: Int) -> Damage {
            Damage(testDescription: name, frame: frame) { log in
                for index in place..<(place + count) { log[index] = log[index] == 0xAA ? 0x55 : 0xAA }
            }
        }

        /// A sector that the disk has lost.
        ///
        /// - Parameter first: its first byte, other than what was there.
        static func lost(_ name: String, at place: Int, first: UInt8 = 0, frame: Int) -> Damage {
            Damage(testDescription: name, frame: frame) { log in
                log.replaceSubrange(place..<(place + 512), with: [first] + Data(count: 511))
            }
        }

        static func cut(_ bytes: Int, frame: Int) -> Damage {
            Damage(testDescription: "cut to \(bytes) bytes", frame: frame) { $0 = $0.prefix(bytes) }
        }

        static func zeros(_ bytes: Int) -> Damage {
            Damage(testDescription: "\(bytes) zeros at its beginning", frame: 0) { log in
                log.replaceSubrange(0..<bytes, with: Data(count: bytes))
            }
        }
    }

    private static let damages: [Damage] = [
        .lost("a frame's header, with the beginning of its page", at: 32 + frameBytes, frame: 2),
        .lost(
            "a frame's header and the end of the page before it", at: 32 + 2 * frameBytes - 400, first: 0xAA, frame: 2),
        .bytes("the header's magic number", at: 0, 2, frame: 0),
        .bytes("its version", at: 5, 1, frame: 0),
        .bytes("its page size", at: 8, 3, frame: 0),
        .bytes("its salt", at: 17, 2, frame: 0),
        .bytes("its checksum", at: 24, 2, frame: 0),
        .zeros(32), .zeros(3 * frameBytes + 32),
        .cut(20, frame: 0), .cut(32 + 2 * frameBytes + 30, frame: 3), .cut(32 + 3 * frameBytes - 1, frame: 3),
        .bytes("the first frame's page number", at: 32, 4, frame: 1),
        .bytes("its salt", at: 32 + 8, 4, frame: 1),
        .bytes("its checksum", at: 32 + 16, 4, frame: 1),
        .bytes("the second frame's salt", at: 32 + frameBytes + 8, 8, frame: 2),
    ]

    @Test(arguments: damages)
    private func `damage anywhere in a log that SQLite would pass over in silence is told`(_ damage: Damage)
        async throws
    {
        try await withCopy(
            changing: damage.change,
            look: { folder in
                let survey = try #require(LogSurvey(ofDatabase: folder + "/belfry.sqlite"))
                #expect(survey.damagedFrame == damage.frame)
                #expect(survey.lostCommits > 0)
            })
    }

    @Test(arguments: [0, 32, 100_000])
    func `a log in which nothing was ever written has nothing to tell`(_ bytes: Int) async throws {
        try await withCopy(
            changing: { $0 = Data(count: bytes) },
            look: { folder in #expect(LogSurvey(ofDatabase: folder + "/belfry.sqlite") == nil) })
    }

    @Test func `bytes behind the end of a log are none of it`() async throws {
        try await withCopy(
            changing: { log in
                // Its zeros may end inside of a frame; with other bytes behind them that one would look damaged.
                log.append(Data(count: Self.frameBytes - (log.count - 32) % Self.frameBytes))
                log.append(Data(repeating: 0x55, count: 3 * Self.frameBytes))
            },
            look: { folder in
                #expect(LogSurvey(ofDatabase: folder + "/belfry.sqlite") == nil)
            })
    }

    @Test func `a commit whose first header the power cut off counts once, though its end is there`() async throws {
        try await withCopy(
            changing: { log in
                // The last commit with several frames: it begins behind one, and another ends with it.
                let ends = (0..<1_000).prefix { Self.isWritten($0, log) }.filter { Self.endsCommit($0, log) }
                guard let last = ends.indices.dropFirst().last(where: { ends[$0] - ends[$0 - 1] > 1 }) else {
                    Issue.record("each commit has one frame")
                    return
                }
                let header = 32 + (ends[last - 1] + 1) * Self.frameBytes
                log.replaceSubrange(header..<(header + 512), with: Data(count: 512))
                let next = 32 + (ends[last] + 1) * Self.frameBytes
                log.replaceSubrange(next..., with: Data(count: log.count - next))
            },
            look: { folder in
                let survey = try #require(LogSurvey(ofDatabase: folder + "/belfry.sqlite"))
                #expect(survey.lostCommits == 1)
                #expect(survey.mayBeOfPowerFailure)
            })
    }

    private static func isWritten(_ frame: Int, _ log: Data) -> Bool {
        let place = 32 + frame * frameBytes
        return place + frameBytes <= log.count && log[place..<(place + 4)].contains { $0 != 0 }
    }

    private static func endsCommit(_ frame: Int, _ log: Data) -> Bool {
        let place = 32 + frame * frameBytes
        return log[(place + 4)..<(place + 8)].contains { $0 != 0 }
    }

    @Test func `a start leaves nothing of a commit that was cut off, which would look like a second loss later`()
        async throws
    {
        try await withCopy(
            changing: { log in
                log.replaceSubrange((32 + Self.frameBytes)..<(544 + Self.frameBytes), with: Data(count: 512))
            },
            look: { folder in
                let path = folder + "/belfry.sqlite"
                #expect(LogSurvey(ofDatabase: path) != nil)
                let opened = try StoreFixture(folder: folder)
                withExtendedLifetime(opened) { #expect(LogSurvey(ofDatabase: path) == nil) }
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
