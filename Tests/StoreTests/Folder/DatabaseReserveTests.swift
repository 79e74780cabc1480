import Foundation
import GRDB
import Inbox
import Testing

@testable import SQLiteStore
@testable import Store

struct DatabaseReserveTests {
    private static let step = DatabaseReserve.stepBytes
    private static let pagesOfStep = Int(step / 4_096)

    @Test func `the file is brought to whole steps, three or four beyond its pages`() throws {
        let reserve = DatabaseReserve()
        for (pages, steps) in [(1, 4), (Self.pagesOfStep, 4), (Self.pagesOfStep + 1, 5)] as [(Int, Int64)] {
            let target = try #require(reserve.target(pages: pages))
            #expect(target.bytes == steps * Self.step)
            #expect(target.new == target.bytes - Int64(pages) * 4_096)
        }
    }

    @Test func `nothing is asked while it is long enough, and a step at a time then`() throws {
        var reserve = DatabaseReserve()
        reserve.reaches(4 * Self.step)
        #expect(reserve.target(pages: 1) == nil)
        #expect(reserve.target(pages: Self.pagesOfStep) == nil)
        let target = try #require(reserve.target(pages: Self.pagesOfStep + 1))
        #expect(target.bytes == 5 * Self.step && target.new == Self.step)
    }

    @Test func `a refused reserve is asked for again with more pages, or after the file was cut`() {
        var reserve = DatabaseReserve()
        reserve.refused(pages: 7)
        #expect(reserve.target(pages: 7) == nil)
        #expect(reserve.target(pages: 8) != nil)
        reserve.wasCut()
        #expect(reserve.target(pages: 7) != nil)
    }

    /// Bytes of a file, and those that it has on the disk.
    private static func size(_ path: String) throws -> (bytes: Int, allocated: Int) {
        var file = stat()
        try #require(stat(path, &file) == 0)
        return (Int(file.st_size), Int(file.st_blocks) * 512)
    }

    @Test func `a store's file has room on the disk for what its log brings, and a whole step at rest`() async throws {
        try await withStore { fixture in
            let path = fixture.folder + "/belfry.sqlite"
            var bytes = 0
            for number in 0..<4 {
                try await fixture.say(String(repeating: "\(number)", count: 500_000), to: .ada)
                let pages = try await fixture.pages()
                let file = try Self.size(path)
                #expect(Int64(file.bytes) >= Int64(pages) * 4_096 + DatabaseReserve.leastBytes)
                #expect(file.allocated >= file.bytes)
                bytes = pages * 4_096
            }
            await fixture.store.close()
            let file = try Self.size(path)
            #expect(file.bytes % Int(Self.step) == 0 && file.bytes - bytes < Self.step)
            let fresh = try StoreFixture(folder: fixture.folder)
            #expect(try await fresh.texts(of: .ada).count == 4)
            await fresh.store.close()
            let database = try DatabaseQueue(path: path)
            #expect(try await database.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
            try database.close()
        }
    }
}

extension StoreFixture {
    /// How many pages the database has, those in the log included.
    fileprivate func pages() async throws -> Int {
        try await withCheckedThrowingContinuation { waiting in
            sqlite.withIdleWriter { db in
                waiting.resume(with: Result { try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0 })
            }
        }
    }
}
