import Inbox
import Testing

struct CatalogSetTests {
    @Test func `two catalogs cannot share an event, nor a name`() throws {
        let rooms = try Rooms.catalog()
        let other = try Catalog(
            yaml: "catalog: rooms\nevents:\n  room_liked: {routes: [{to: a, type: T}]}\ntypes: {T: {text: t}}",
            file: "other.yaml")
        let error = try #require(throws: CatalogError.self) { try AppCatalogs([rooms, other]) }
        #expect(
            error.description == """
                other.yaml:1: catalog: rooms.yaml has a catalog of this name; expected another one
                other.yaml:3: events.room_liked: catalog "rooms" routes this event too; expected one catalog an event
                """)
    }

    @Test func `the catalog that ships has the app's events and types`() throws {
        let catalog = try Rooms.catalog()
        #expect(catalog.name == "rooms")
        #expect(catalog.eventTypes.count == 11)
        #expect(catalog.typeNames.count == 12)
    }

    @Test(
        arguments: [
            (.unread, 3, 2, 3), (.unseen, 3, 2, 2), (.boolean, 3, 0, 1), (.boolean, 0, 0, 0),
        ] as [(BadgeRule, Int64, Int64, Int64)])
    func `an icon's number follows the catalog`(
        _ badge: BadgeRule, _ unread: Int64, _ unseen: Int64, _ number: Int64
    ) {
        let state = InboxState(epoch: "e", seq: 9, unread: unread, unseen: unseen, total: 5)
        #expect(badge.number(of: state) == number)
    }

    @Test(arguments: BadgeRule.allCases)
    func `a push counts what its catalog says`(_ badge: BadgeRule) throws {
        let catalog = try Catalog(
            yaml: """
                catalog: app
                badge: \(badge.rawValue)
                events: {greeted: {routes: [{to: friends, type: GREETED}]}}
                types: {GREETED: {text: hello, push: {title: t, body: b}}}
                """,
            file: "app.yaml")
        let type = try #require(catalog.notificationType(named: "GREETED"))
        let content = type.content(for: Event(type: "greeted"), at: Timestamp(milliseconds: 0), growing: nil)
        #expect(content.push?.badge == badge)
    }
}
