import Inbox
import JSON
import Testing

/// Moments in the recipient's zone and in the language of the text.
struct TimesTests {
    private static func catalog(_ top: String = "", format: String = "yMMMd", optional: Bool = false) throws -> Catalog
    {
        try Catalog(
            yaml: """
                catalog: golf
                \(top)
                events: {moved: {data: [round.startsAt], routes: [{to: members, type: MOVED}]}}
                types:
                  MOVED:
                    text: ["New time: {{date}} at {{time}}", "New time"]
                    times:
                      date: {path: round.startsAt, format: \(format), optional: \(optional)}
                      time: {path: round.startsAt, format: jm, optional: \(optional)}
                    push: {title: Golf, body: ["{{date}}, {{time}}", "soon"]}
                """, file: "golf.yaml")
    }

    private func event(_ startsAt: JSONValue) -> Event {
        Event(
            type: "moved", to: [.init(name: "members", users: Rooms.users("u"))],
            data: ["round": ["startsAt": startsAt]])
    }

    private func text(_ catalog: Catalog, _ startsAt: String, _ reader: Reader) throws -> String {
        let routed = try catalog.route(event(.string(startsAt)))
        let type = try #require(routed.routes.first?.type)
        let content = type.content(
            for: routed.event, reader: reader, at: Timestamp(milliseconds: 0), growing: nil)
        // CLDR puts a narrow space before AM and PM.
        return content.displayText.replacing("\u{202F}", with: " ")
    }

    @Test func `blanks are as the language has them, or plain for those who compare`() throws {
        func text(_ blanks: String) throws -> String {
            let yaml = """
                catalog: golf
                events: {moved: {data: [round.startsAt], routes: [{to: members, type: MOVED}]}}
                types: {MOVED: {text: "{{time}}", times: {time: {path: round.startsAt, format: jm\(blanks)}}}}
                """
            return try Catalog(yaml: yaml, file: "golf.yaml").content(event("2025-07-04T21:30:00Z")).displayText
        }
        #expect(try text("") == "9:30\u{202F}PM")
        #expect(try text(", blanks: local") == "9:30\u{202F}PM")
        #expect(try text(", blanks: plain") == "9:30 PM")
        #expect(throws: CatalogError.self) { try text(", blanks: narrow") }
    }

    static let moments: [(top: String, time: String, zone: String?, text: String)] = [
        ("", "2025-07-04T15:02:44.161Z", nil, "New time: Jul 4, 2025 at 3:02 PM"),
        ("zone: Europe/Berlin", "2025-07-04T15:02:44Z", nil, "New time: Jul 4, 2025 at 5:02 PM"),
        ("zone: Europe/Berlin", "2025-07-04T15:02:44Z", "America/New_York", "New time: Jul 4, 2025 at 11:02 AM"),
        ("", "2025-07-04T23:30:00Z", "Asia/Tokyo", "New time: Jul 5, 2025 at 8:30 AM"),
        ("", "2025-07-04T00:30:00Z", "America/Los_Angeles", "New time: Jul 3, 2025 at 5:30 PM"),
        ("", "2025-07-04T15:00:00+02:00", "Australia/Lord_Howe", "New time: Jul 4, 2025 at 11:30 PM"),
        // Berlin sets its clocks forward at 2025-03-30T01:00Z and back at 2025-10-26T01:00Z.
        ("", "2025-03-30T00:59:00Z", "Europe/Berlin", "New time: Mar 30, 2025 at 1:59 AM"),
        ("", "2025-03-30T01:00:00Z", "Europe/Berlin", "New time: Mar 30, 2025 at 3:00 AM"),
        ("", "2025-10-26T00:30:00Z", "Europe/Berlin", "New time: Oct 26, 2025 at 2:30 AM"),
        ("", "2025-10-26T01:30:00Z", "Europe/Berlin", "New time: Oct 26, 2025 at 2:30 AM"),
        ("", "2025-10-26T02:30:00Z", "Europe/Berlin", "New time: Oct 26, 2025 at 3:30 AM"),
        // New York: forward at 2025-03-09T07:00Z, back at 2025-11-02T06:00Z.
        ("", "2025-03-09T06:59:00Z", "America/New_York", "New time: Mar 9, 2025 at 1:59 AM"),
        ("", "2025-03-09T07:00:00Z", "America/New_York", "New time: Mar 9, 2025 at 3:00 AM"),
        ("", "2025-11-02T06:30:00Z", "America/New_York", "New time: Nov 2, 2025 at 1:30 AM"),
        ("", "2025-07-04T15:02:44Z", "Mars/Olympus", "New time: Jul 4, 2025 at 3:02 PM"),
        ("locale: en-GB", "2025-07-04T15:02:44Z", nil, "New time: 4 Jul 2025 at 15:02"),
        ("locale: de", "2025-07-04T15:02:44Z", nil, "New time: 4. Juli 2025 at 15:02"),
        ("locale: ja", "2025-07-04T15:02:44Z", nil, "New time: 2025年7月4日 at 15:02"),
    ]

    @Test(arguments: moments)
    func `a moment is printed as the recipient's clock shows it`(
        _ top: String, _ time: String, _ zone: String?, _ text: String
    ) throws {
        #expect(try self.text(Self.catalog(top), time, Reader(zone: zone)) == text)
    }

    @Test func `recipients whose clocks show the same share one content`() throws {
        let type = try #require(try Self.catalog("zone: Europe/Berlin").notificationType(named: "MOVED"))
        func variant(_ zone: String?) -> ContentVariant { type.variant(for: Reader(zone: zone), own: nil) }
        #expect(variant(nil) == variant("Europe/Berlin"))
        #expect(variant(nil) == variant("Mars/Olympus"))
        #expect(variant(nil) != variant("Asia/Tokyo"))
        let untimed = try #require(try Rooms.catalog().notificationType(named: "ROOM_LIKE"))
        #expect(untimed.variant(for: Reader(zone: "Asia/Tokyo"), own: nil) == ContentVariant())
    }

    @Test(
        arguments: [
            (nil, "missing_field", "expected a date and time, which MOVED shows"),
            (1_751_641_364, "wrong_type", "expected a string, found a number"),
            ("tomorrow", "invalid_value", "expected a date and time like 2025-07-04T15:02:44.161Z"),
        ] as [(JSONValue, String, String)])
    func `a text that is no moment is refused`(_ value: JSONValue, _ code: String, _ message: String) throws {
        let catalog = try Self.catalog()
        let problem = try #require(throws: EventProblem.self) { try catalog.route(event(value)) }
        #expect((problem.code, problem.pointer, problem.message) == (code, "/data/round/startsAt", message))
    }

    @Test func `a moment that may be missing is left to the next text`() throws {
        let catalog = try Self.catalog(optional: true)
        #expect(try catalog.content(event(nil)).displayText == "New time")
        #expect(try catalog.content(event(nil)).push?.body == "soon")
        #expect(throws: EventProblem.self) { try catalog.route(event("tomorrow")) }
    }

    @Test func `printing in more zones than are kept at once changes nothing`() throws {
        let catalog = try Self.catalog(format: "yMMMdjmz")
        let zones = ["Europe/Berlin", "America/New_York", "Asia/Kolkata", "Etc/GMT+5"]
        let first = try zones.map { try text(catalog, "2025-07-04T15:00:00Z", Reader(zone: $0)) }
        #expect(Set(first).count == zones.count)
        let others = [
            "Africa": "Cairo Lagos Nairobi Tunis Accra Dakar Harare Luanda Maputo Windhoek Algiers Tripoli",
            "America": "Bogota Caracas Chicago Denver Halifax Lima Phoenix Santiago Sao_Paulo Toronto Vancouver Havana",
            "Asia": "Bangkok Dhaka Dubai Hong_Kong Jakarta Karachi Manila Seoul Shanghai Singapore Tehran Tokyo Baku",
            "Australia": "Adelaide Brisbane Darwin Hobart Lord_Howe Melbourne Perth Sydney Eucla",
            "Europe": "Athens Dublin Helsinki Istanbul Kyiv Lisbon London Madrid Moscow Oslo Paris Rome Vienna Warsaw",
            "Pacific": "Apia Auckland Chatham Fiji Guam Honolulu Kiritimati Noumea Tongatapu",
        ]
        let names = others.flatMap { area, places in places.split(separator: " ").map { "\(area)/\($0)" } }
        #expect(names.count > 64 && names.allSatisfy(ZoneNames.isKnown))
        for name in names { _ = try text(catalog, "2025-07-04T15:00:00Z", Reader(zone: name)) }
        #expect(try zones.map { try text(catalog, "2025-07-04T15:00:00Z", Reader(zone: $0)) } == first)
    }

    @Test func `threads may print at once`() async throws {
        let catalog = try Self.catalog("zone: Europe/Berlin")
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<64 {
                group.addTask { try text(catalog, "2025-07-04T15:02:44Z", Reader(zone: "Asia/Tokyo")) }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(texts == ["New time: Jul 5, 2025 at 12:02 AM"])
    }
}
