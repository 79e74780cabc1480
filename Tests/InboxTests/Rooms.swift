import Foundation
import Inbox
import JSON
import Testing

/// The catalog that ships for the photo rooms app, and events for it.
enum Rooms {
    static let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Config/catalogs/rooms.yaml").standardizedFileURL

    static func yaml() throws -> String { try String(contentsOf: file, encoding: .utf8) }

    static func catalog() throws -> Catalog { try Catalog(yaml: yaml(), file: "rooms.yaml") }

    static let pete: JSONObject = [
        "id": "user-123", "username": "pete", "firstName": "Pete", "avatarUrl": "https://...",
    ]
    static let renee: JSONObject = [
        "id": "user-456", "username": "renee", "firstName": "Renee", "avatarUrl": "https://...",
    ]
    static let sarah: JSONObject = [
        "id": "user-789", "username": "sarah", "firstName": "Sarah", "avatarUrl": "https://...",
    ]

    static func room(_ id: String, _ name: String) -> JSONValue { ["id": .string(id), "name": .string(name)] }

    static func elements(_ kinds: [String]) -> JSONValue {
        .array(kinds.map { ["kind": .string($0)] })
    }

    static func elementAdded(_ kinds: [String]) -> Event {
        Event(
            type: "element_added", actor: renee, to: [.init(name: "participants", users: users("sarah"))],
            data: ["room": room("room-789", "Awesome Fun"), "elements": elements(kinds)])
    }

    static func users(_ ids: String...) -> [UserID] { users(ids) }

    static func users(_ ids: [String]) -> [UserID] { ids.compactMap { UserID($0) } }
}

extension Timestamp {
    static func at(_ text: String) throws -> Timestamp { try #require(Timestamp(iso8601: text)) }
}

extension Catalog {
    /// The content that the first recipient would get for the event.
    func content(_ event: Event, at time: Timestamp = Timestamp(milliseconds: 0)) throws -> Content {
        let group = try #require(try route(event).groups.first)
        return group.type.content(for: event, at: time, growing: nil)
    }
}

extension Content {
    var members: JSONObject {
        get throws { try #require(try JSONValue(parsing: Array("{".utf8) + body + Array("}".utf8)).object) }
    }
}
