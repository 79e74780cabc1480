import Foundation
import Inbox
import JSON
import Push
import SQLiteStore
import Store
import Testing

/// The shipped catalogs' texts of pushes that quiet hours have held back.
@Suite(.everyEngine) struct HeldKindTests {
    private static func yaml(_ app: String) throws -> String {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../../Config/catalogs")
        return try String(contentsOf: folder.appending(path: "\(app).yaml"), encoding: .utf8)
    }

    /// An event of the app's, by its catalog's own sample.
    struct Said: Sendable {
        let event: String
        let list: String
        var actor: String
        var data: JSONObject = [:]
    }

    private static func people(_ event: String, _ list: String, _ actors: String..., data: JSONObject = [:]) -> [Said] {
        actors.map { Said(event: event, list: list, actor: $0, data: data) }
    }

    private static let upvotes = people(
        "post_upvoted", "author", "ann", "ben", "cleo", data: ["post": ["id": "post-9", "text": "Hole in one!"]])
    private static let requests = people(
        "round_requested", "host", "ann", "ben", "cleo",
        data: ["round": ["id": "round-7", "name": "Saturday Nine", "course": "Pebble Beach"]])
    private static let followers = people("new_follower", "followed", "ann", "ben")

    @Test(arguments: [
        // S1: batch: "X people upvoted your post".
        ("rounds", upvotes, "New upvotes", "3 people upvoted your post"),
        (
            "rounds", upvotes + people("post_upvoted", "author", "ann", data: ["post": ["id": "p2", "text": "Two"]]),
            "New upvotes", "3 people upvoted your post"
        ),
        ("rounds", followers, "New followers", "2 people started following you"),
        // S1: group similar notifications ("3 new round requests").
        ("rounds", requests, "Golf", "3 new round requests"),
        ("rounds", upvotes + [requests[0]], "Golf", "4 new notifications"),
        (
            "rounds",
            [requests[0]]
                + people(
                    "round_requested", "host", "ben",
                    data: ["round": ["id": "round-8", "name": "Sunday", "course": "Augusta"]]),
            "Golf", "2 new notifications"
        ),
        ("rounds", [upvotes[0]], "New upvote", "Ann upvoted your post"),
        (
            "issues",
            people(
                "message_sent", "participants", "ann", "ben",
                data: ["conversation": ["id": "c1"], "message": ["text": "Hi"]]),
            "Kevin", "2 new messages"
        ),
        (
            "posts", people("post_created", "everyone", "ann", "ben", data: ["post": ["id": "p1"]]), "Posts",
            "2 new posts"
        ),
        (
            "posts",
            people("post_created", "everyone", "ann", data: ["post": ["id": "p1"]])
                + people("profile_completed", "everyone", "ben"), "Posts", "2 new notifications"
        ),
        (
            "rooms",
            people(
                "room_liked", "owner", "ann", "ben", data: ["room": ["id": "r1", "name": "Italy"]]),
            "Rooms", "2 new notifications"
        ),
    ])
    func `pushes of one type and group leave with that type's words, others as a digest`(
        _ app: String, _ said: [Said], _ title: String, _ body: String
    ) async throws {
        try await withStore(yaml: Self.yaml(app)) { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            try await fixture.store.change(.quietHours(QuietHours(QuietTypes.hours)), for: .ada, at: .at(0))
            for (number, one) in said.enumerated() {
                let actor: JSONObject = [
                    "id": .string(one.actor), "username": .string(one.actor), "name": .string(one.actor.capitalized),
                    "firstName": .string(one.actor.capitalized),
                ]
                let event = Event(
                    type: one.event, actor: actor, to: [.init(name: one.list, users: [.ada])], data: one.data)
                try await fixture.publish(event, at: .at(4_000 + Int64(number)))
            }
            let sent = try await fixture.sent(at: .at(7_160))
            #expect(sent.map(\.message.texts.title) == [title])
            #expect(sent.map(\.message.texts.body) == [body])
            #expect(try await fixture.statistics().pushJobs == 0)
        }
    }

    @Test func `pushes of one kind keep their thread, a digest has none`() async throws {
        try await withStore(yaml: Self.yaml("rounds")) { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            try await fixture.store.change(.snooze(until: .at(100)), for: .ada, at: .at(0))
            for actor in ["ann", "ben"] {
                let event = Event(
                    type: "new_follower", actor: ["id": .string(actor), "firstName": "Ann"],
                    to: [.init(name: "followed", users: [.ada])], data: [:])
                try await fixture.publish(event, at: .at(1))
            }
            let job = try #require(try await fixture.sent(at: .at(100)).first)
            #expect((job.message.showsDigest, job.message.count, job.message.people) == (false, 2, 2))
        }
    }
}
