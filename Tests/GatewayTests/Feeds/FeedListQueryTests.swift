import Inbox
import Store
import Testing
import WireProtocol

@testable import Gateway

struct FeedListQueryTests {
    private func query(_ text: String) throws -> HTTPQuery { try head("GET", "/v1/feeds/posts/items?\(text)").query }

    @Test(
        arguments: [
            ("", .newest, [], 100), ("before=7&limit=3", .before(7), [], 3),
            ("before=7&epoch=e", .before(7, epoch: "e"), [], 100), ("after=&before=&limit=&tags=", .newest, [], 100),
            ("after=0", .after(.init(epoch: "", offset: 0)), [], 100),
            ("after=7&epoch=e&limit=900", .after(.init(epoch: "e", offset: 7)), [], 500),
            ("after=2024-12-09T18:00:00Z&limit=3", .afterTime(Timestamp(milliseconds: 1_733_767_200_000)), [], 3),
            ("after=2024-12-09T19:00:00.5+01:00", .afterTime(Timestamp(milliseconds: 1_733_767_200_500)), [], 100),
            ("tags=cat,dog,&tags=new%20york", .newest, ["cat", "dog", "new york"], 100),
        ] as [(String, FeedQuery.Start, [String], Int)])
    func `a query says where to begin`(
        _ text: String, _ start: FeedQuery.Start, _ tags: [String], _ limit: Int
    ) throws {
        #expect(try FeedListQuery(query(text)).query == FeedQuery(start, tags: tags, limit: limit))
    }

    @Test(
        arguments: [
            "after=-1", "after=x", "after=2024-12-09", "after=2024-12-09T18:00:00Z&before=2", "before=0",
            "limit=0", "after=1&before=2",
            "tags=" + Array(repeating: "a", count: 21).joined(separator: ","),
        ])
    func `a senseless query is refused`(_ text: String) throws {
        let query = try query(text)
        let refused = try #require(problem { () throws(Problem) in _ = try FeedListQuery(query) })
        #expect((refused.status, refused.code) == (400, "invalid_parameter"))
    }
}
