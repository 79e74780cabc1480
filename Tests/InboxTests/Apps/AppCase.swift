import Foundation
import Inbox
import JSON
import Testing

/// The apps whose catalogs ship.
enum App: String, CaseIterable {
    case rooms, rounds, posts, issues

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")

    func catalog() throws -> Catalog {
        let file = Self.folder.appending(path: "Config/catalogs/\(rawValue).yaml").standardizedFileURL
        return try Catalog(yaml: String(contentsOf: file, encoding: .utf8), file: "\(rawValue).yaml")
    }

    /// The page about it, as it ships.
    func page() throws -> String {
        let file = Self.folder.appending(path: "docs/catalogs/\(rawValue).md").standardizedFileURL
        return try String(contentsOf: file, encoding: .utf8)
    }
}

/// An event as an app's backend publishes it, and what the app's clients then read.
struct AppCase: CustomTestStringConvertible, Sendable {
    /// The app's requirement.
    let row: String
    let event: String
    let list: String
    /// JSON, each of these.
    let actor: String
    let data: String
    var own = "{}"
    /// The notification's members from `type` on, in order, but for those that the store fills in.
    let inApp: String
    /// `title`, `body`, `group` and `data`, in any order.
    let push: String

    var testDescription: String { "\(row) \(event)" }

    func event(to user: String = "you") throws -> Event {
        let users = Rooms.users(user)
        let own = try object(self.own)
        return Event(
            type: event, actor: try object(actor),
            to: [
                .init(name: list, users: users, own: own.isEmpty ? [:] : Dictionary(users.map { ($0, own) }) { $1 })
            ],
            data: try object(data))
    }

    /// The notification that the person gets.
    func content(in catalog: Catalog, for reader: Reader = Reader()) throws -> Content {
        let own = try object(self.own)
        let event = try event()
        let group = try #require(try catalog.route(event).groups.first)
        return group.type.content(
            for: event, own: own.isEmpty ? nil : own, reader: reader, at: Timestamp(milliseconds: 0), growing: nil)
    }

    /// Compares both with what clients read.
    func check(in catalog: Catalog) throws {
        let content = try content(in: catalog)
        let head: JSONObject = ["type": .string(content.type), "displayText": .string(content.displayText)]
        let members = JSONObject(head.members + (try content.members).members)
        #expect(members == (try object(inApp)))
        try checkPush(of: content)
    }

    func checkPush(of content: Content) throws {
        let push = try #require(content.push)
        let expected = try object(self.push)
        #expect(push.title == expected["title"]?.string)
        #expect(push.body == expected["body"]?.string)
        #expect(push.group == expected["group"]?.string)
        #expect(.object(push.data) == expected["data"])
        #expect(push.body.count < 178)
    }

    private func object(_ json: String) throws -> JSONObject { try #require(try JSONValue(parsing: json).object) }
}
