import Foundation
import Inbox
import JSON
import Testing
import _FoundationICU

/// The catalogs that `docs/catalogs.md` shows.
struct CatalogGuideTests {
    private static let guide = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../docs/catalogs.md").standardizedFileURL

    private static func catalogs() throws -> [Catalog] {
        let blocks = try String(contentsOf: guide, encoding: .utf8).components(separatedBy: "```")
        return try blocks.filter { $0.hasPrefix("yaml\ncatalog: ") }.map { block in
            try Catalog(yaml: String(block.dropFirst("yaml\n".count)), file: "catalogs.md")
        }
    }

    @Test func `each of them is a whole one`() throws {
        #expect(try Self.catalogs().map(\.name) == ["library", "golf", "chess"])
    }

    /// The guide must name the version, because texts of times depend on it.
    @Test func `the version of ICU is the one that arranges times`() throws {
        var version = [UInt8](repeating: 0, count: Int(U_MAX_VERSION_LENGTH))
        swift_u_getVersion(&version)
        #expect(try String(contentsOf: Self.guide, encoding: .utf8).contains("by ICU \(version[0]).\(version[1]),"))
    }

    @Test func `several upvotes leave as one push that tells how many`() throws {
        let golf = try #require(try Self.catalogs().first { $0.name == "golf" })
        let event = Event(
            type: "post_upvoted", actor: Rooms.pete, to: [.init(name: "author", users: Rooms.users("sarah"))],
            data: ["post": ["id": "p1"]])
        let push = try #require(try golf.content(event).push)
        #expect((push.app, push.body, push.replaceKey) == ("golf", "Pete upvoted your post", "upvotes:p1"))
        #expect(push.summary?.body.text(count: 12) == "12 people upvoted your posts")
        #expect(golf.notificationType(named: "POST_UPVOTED")?.push.perHour == 1)
    }

    @Test func `a game is told in the reader's language`() throws {
        let chess = try #require(try Self.catalogs().last)
        let type = try #require(chess.notificationType(named: "GAME_BEGUN"))
        let event = Event(
            type: "game_begun", actor: Rooms.pete, data: ["game": ["id": 7, "startsAt": "2025-07-04T12:00:00Z"]])
        let texts = [nil, "de-AT", "en-GB", "fr"].map { locale in
            type.content(for: event, reader: Reader(locale: locale), at: Timestamp(milliseconds: 0), growing: nil)
                .displayText
        }
        #expect(
            texts == [
                "Pete plays against you on July 4", "Pete spielt am 4. Juli gegen dich",
                "Pete plays against you on 4 July", "Pete plays against you on July 4",
            ])
    }
}
