import Inbox
import JSON
import Testing

/// A clinic's app that nothing else here knows, and that uses everything a catalog can say: new apps need no Swift.
struct SixthCatalogTests {
    private let catalog: Catalog

    init() throws {
        catalog = try Catalog(yaml: ClinicCatalog.yaml, file: "clinic.yaml")
    }

    private func visit(_ more: JSONObject = [:], family: JSONObject? = nil) -> Event {
        var visit: JSONObject = ["id": "v1", "at": "2025-01-10T09:00:00Z"]
        for member in more.members { visit[member.key] = member.value }
        let relative = Rooms.users("zosia")
        return Event(
            type: "visit_moved", actor: ["id": "n1", "firstName": "Ewa"],
            to: [
                .init(name: "patient", users: Rooms.users("jan")),
                .init(name: "family", users: relative, own: family.map { [relative[0]: $0] } ?? [:]),
            ],
            data: ["visit": .object(visit), "doctor": "Dr. Nowak"])
    }

    private func content(_ event: Event, _ name: String, own: JSONObject? = nil, for reader: Reader = Reader()) throws
        -> Content
    {
        _ = try catalog.route(event)
        let type = try #require(catalog.notificationType(named: name))
        return type.content(for: event, own: own, reader: reader, at: Timestamp(milliseconds: 0), growing: nil)
    }

    @Test func `its words, times, button, icon and group are all in its catalog`() throws {
        let content = try content(visit(["tags": [["name": "ekg"], ["name": "usg"]]]), "VISIT_MOVED")
        #expect(content.displayText == "Dr. Nowak: 10 stycznia, 10:00")
        let expected = try JSONValue(
            parsing: """
                {"actor": {"id": "n1", "firstName": "Ewa"},
                 "deepLink": {"type": "visit", "visitId": "v1", "actorId": "n1"}, "body": "Dr. Nowak",
                 "cta": {"label": "Potwierdź", "action": "confirm", "visit": "v1"}, "isConfirmed": false,
                 "look": {"icon": "calendar", "color": "#0a84ff", "order": 1}, "pictures": [], "amount": 1,
                 "category": "visits", "group": "visit:v1"}
                """)
        #expect(try .object(content.members) == expected)
        let push = try #require(content.push)
        #expect((push.title, push.body) == ("Dr. Nowak", "10 stycznia, 10:00"))
        #expect(push.data == ["type": "VISIT_MOVED", "visitId": "v1", "tags": "ekg,usg"])
        #expect((push.group, push.replaceKey, push.actions) == ("visit:v1", "visit:v1", "CONFIRM"))
        #expect((push.app, push.sound, push.urgency) == ("clinic", "bell.caf", .urgent))
        #expect(push.isMutable && push.wakesApp)
        #expect([1, 3, 5].map { content.groupText?.text(count: $0) } == ["1 zmiana", "3 zmiany", "5 zmian"])
        #expect(
            [1, 3, 5].map { push.digest?.body.text(count: $0) } == ["1 wiadomość", "3 wiadomości", "5 wiadomości"])
    }

    @Test func `a British reader in Lisbon gets her words and her clock`() throws {
        let reader = Reader(locale: "en-GB", zone: "Europe/Lisbon")
        let content = try content(visit(["note": "Bring the old X-rays and come early"]), "VISIT_MOVED", for: reader)
        #expect(content.displayText == "Dr. Nowak on 10 January at 09:00")
        #expect(try content.members["cta"]?.object?["label"] == "Confirm")
        #expect(try content.members["body"] == "Bring the old X-rays and...")
        #expect(content.push?.body == "On 10 January at 09:00: Bring the old X-rays and...")
        #expect([1, 2].map { content.groupText?.text(count: $0) } == ["a change", "2 changes"])
        #expect(catalog.category(named: "visits")?.title(in: "en-GB") == "Visits")
    }

    @Test func `an event's data for one recipient are theirs alone`() throws {
        let own: JSONObject = ["relation": "Mama"]
        #expect(try content(visit(family: own), "FAMILY_VISIT_MOVED", own: own).displayText == "Mama: Dr. Nowak")
        #expect(try content(visit(), "FAMILY_VISIT_MOVED").displayText == "Dr. Nowak")
        let event = visit(["isConfirmed": true])
        #expect(try catalog.route(event).groups.map(\.type.name) == ["VISIT_MOVED", "FAMILY_VISIT_MOVED"])
    }

    @Test func `its batches grow in Polish and in English`() throws {
        let scans = (1...5).map { ["sort": "xray", "url": .string("https://img.example/\($0).png")] as JSONValue }
        let event = Event(
            type: "scans_added", actor: ["id": "n1", "firstName": "Ewa"],
            to: [.init(name: "patient", users: Rooms.users("jan"))],
            data: ["study": ["id": "s1"], "scans": .array(scans + [["sort": "note"]])])
        let content = try content(event, "SCANS_ADDED")
        #expect(content.displayText == "Ewa: 5 zdjęć i notatka (6)")
        #expect(try content.members["pictures"]?.array?.count == 2)
        #expect(try content.members["amount"] == 6)
        let british = try self.content(event, "SCANS_ADDED", for: Reader(locale: "en-GB"))
        // Texts that a translation leaves out stay as the catalog has them.
        #expect(british.displayText == "Ewa: 5 X-rays and notatka (6)")
        #expect(catalog.notificationType(named: "SCANS_ADDED")?.push.timing == .trailing)
    }

    @Test func `people's choices have the defaults that it gives`() throws {
        let moved = try #require(catalog.notificationType(named: "VISIT_MOVED"))
        #expect(moved.preferences.isRequired && moved.title(in: nil) == "Zmiany wizyt")
        #expect(moved.subjects(of: visit()) == ["actor:n1", "visit:v1"])
        #expect(moved.liveFields == ["body", "cta", "isConfirmed"])
        let family = try #require(catalog.notificationType(named: "FAMILY_VISIT_MOVED"))
        #expect(family.preferences.inApp && !family.preferences.push)
        #expect(family.push.perHour == 2)
    }

    @Test func `it has a page like all others`() {
        let page = CatalogPage(catalog).markdown
        #expect(page.contains("# Clinic\n"))
        #expect(page.contains("always: people can neither mute it nor switch it off, nor its pushes"))
        #expect(page.contains("| en-GB | Dr. Nowak on 10 January at 10:00 | **Dr. Nowak**: On 10 January at 10:00 |"))
        #expect(!page.contains("Give the event"))
    }

    @Test func `it lives beside the four that ship`() throws {
        let catalogs = try CatalogSet(App.allCases.map { try $0.catalog() } + [catalog])
        #expect(catalogs.catalog(forEvent: "visit_moved")?.name == "clinic")
    }
}
