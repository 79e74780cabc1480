import Foundation
import Inbox
import JSON
import Testing

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
        #expect(try Self.catalogs().map(\.name) == ["library", "golf"])
    }

    @Test func `several upvotes leave as one push that tells how many`() throws {
        let golf = try #require(try Self.catalogs().last)
        let event = Event(
            type: "post_upvoted", actor: Rooms.pete, to: [.init(name: "author", users: Rooms.users("sarah"))],
            data: ["post": ["id": "p1"]])
        let push = try #require(try golf.content(event).push)
        #expect((push.app, push.body, push.replaceKey) == ("golf", "Pete upvoted your post", "upvotes:p1"))
        #expect(push.summary?.body.text(count: 12) == "12 people upvoted your posts")
        #expect(golf.notificationType(named: "POST_UPVOTED")?.push.perHour == 1)
    }
}
