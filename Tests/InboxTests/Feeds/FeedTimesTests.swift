import Inbox
import Testing

struct FeedTimesTests {
    private static func rule(_ zone: String?) throws -> FeedRule {
        let zone = zone.map { ", zone: \($0)" } ?? ""
        let catalogs = try CatalogSet([FeedRulesTests.catalog("posts: {access: public\(zone)}")])
        return try #require(catalogs.feedRule(for: "posts"))
    }

    /// A zone, a time of a client's, and the moment that it names.
    private static let times: [(zone: String?, text: String, moment: String?)] = [
        (nil, "2024-12-09T18:00:00Z", "2024-12-09T18:00:00.000Z"), (nil, "2024-12-09T18:00:00", nil),
        ("UTC", "2024-12-09T18:00:00", "2024-12-09T18:00:00.000Z"),
        ("UTC", "2024-12-09T18:00:00.123456", "2024-12-09T18:00:00.123Z"),
        ("Europe/Berlin", "2024-12-09T18:00:00", "2024-12-09T17:00:00.000Z"),
        ("Europe/Berlin", "2024-07-09T18:00:00.250", "2024-07-09T16:00:00.250Z"),
        ("Europe/Berlin", "2024-07-09T18:00:00+00:00", "2024-07-09T18:00:00.000Z"),
        // Shown twice: the first time counts. Never shown: the moment of the change.
        ("Europe/Berlin", "2024-10-27T02:30:00", "2024-10-27T00:30:00.000Z"),
        ("Europe/Berlin", "2024-03-31T02:30:00", "2024-03-31T01:00:00.000Z"),
        ("Europe/Berlin", "yesterday", nil), ("Europe/Berlin", "", nil),
    ]

    @Test(arguments: times.indices)
    func `a time without a zone is one of the rule's`(row: Int) throws {
        let row = Self.times[row]
        #expect(try Self.rule(row.zone).moment(row.text)?.iso8601 == row.moment, "\(row)")
    }

    @Test func `a zone that nobody knows is a mistake of the catalog`() {
        #expect(throws: CatalogError.self) { try Self.rule("Europe/Berlni") }
    }
}
