import Inbox
import JSON
import Testing

/// The texts that the apps' clients read, type by type.
struct AppCatalogTests {
    @Test(arguments: RoundsCases.all)
    func `golf: a type reads as its flow describes it`(_ row: AppCase) throws {
        try row.check(in: App.rounds.catalog())
    }

    @Test(arguments: PostsCases.all)
    func `posts: a type reads as its pseudocode has it`(_ row: AppCase) throws {
        try row.check(in: App.posts.catalog())
    }

    @Test(arguments: IssuesCases.all)
    func `issues: a type has the texts and all the data of its payload`(_ row: AppCase) throws {
        try row.check(in: App.issues.catalog())
    }

    @Test(arguments: RoomsCases.pushes)
    func `rooms: a type is pushed with what a tap needs`(_ row: AppCase) throws {
        try row.checkPush(of: row.content(in: App.rooms.catalog()))
    }

    @Test func `the four serve side by side, and every type has a category and a push`() throws {
        let catalogs = try App.allCases.map { try $0.catalog() }
        #expect(try CatalogSet(catalogs).eventTypes.count == 11 + 13 + 2 + 5)
        #expect(catalogs.map(\.typeNames.count) == [12, 13, 3, 5])
        #expect(catalogs.map(\.badge) == [.unread, .unseen, .boolean, .unseen])
        for catalog in catalogs {
            for type in catalog.notificationTypes {
                let category = try #require(type.category.flatMap(catalog.category(named:)))
                #expect(category.data["icon"] != nil && category.data["color"] != nil)
                #expect(type.push.when == .fallback)
            }
        }
    }

    /// Devices of another app do not get it; those that the apps' old calls register have no app and do.
    @Test(arguments: App.allCases)
    func `pushes are for the app's own devices`(_ app: App) throws {
        let catalog = try app.catalog()
        #expect(catalog.app == app.rawValue)
        let cases = [App.rooms: RoomsCases.pushes, .rounds: RoundsCases.all, .posts: PostsCases.all]
        for row in cases[app] ?? IssuesCases.all {
            #expect(try row.content(in: catalog).push?.app == app.rawValue)
        }
    }

    @Test func `posts: whoever has a match gets no second notification, and the author none`() throws {
        let event = Event(
            type: "post_created", actor: ["id": "ada", "name": "Ada Lovelace"],
            to: [
                .init(name: "everyone", users: Rooms.users("a", "b", "ada")),
                .init(
                    name: "matched", users: Rooms.users("b"),
                    own: [Rooms.users("b")[0]: ["queries": [["id": "q1", "title": "Cats"]]]]),
            ],
            data: ["post": ["id": "p1"]])
        let groups = try App.posts.catalog().route(event).groups
        #expect(
            groups.map { "\($0.type.name): \($0.users.map(\.name))" } == [
                "NEW_MATCH: [\"b\"]", "NEW_POST: [\"a\"]",
            ])
    }

    @Test(arguments: App.allCases)
    func `no body reaches 178 characters, however long the names are`(_ app: App) throws {
        let cases = [App.rooms: RoomsCases.pushes, .rounds: RoundsCases.all, .posts: PostsCases.all]
        let long = String(repeating: "long words and 👩‍👩‍👧 ", count: 40)
        for row in cases[app] ?? IssuesCases.all {
            var row = row
            for text in ["Saturday Nine", "Ada", "Italian Vacation", "Analytical", "Banana Stand", "photos?", "Great"] {
                row = row.replacing(text, with: text + long)
            }
            let push = try #require(try row.content(in: app.catalog()).push)
            #expect(push.body.count < 178, "\(row.row)")
        }
    }
}

extension AppCase {
    fileprivate func replacing(_ text: String, with other: String) -> AppCase {
        AppCase(
            row: row, event: event, list: list, actor: actor.replacing(text, with: other),
            data: data.replacing(text, with: other), own: own.replacing(text, with: other), inApp: inApp, push: push)
    }
}
