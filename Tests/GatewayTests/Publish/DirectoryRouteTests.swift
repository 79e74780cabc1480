import Foundation
import Inbox
import JSON
import SQLiteStore
import Store
import Support
import Testing

@testable import Gateway

/// Backends' calls about people, over the publishers' socket and with a real store.
struct DirectoryRouteTests {
    private func withListener(
        recipientsPerPage: Int = 500, lines: JSONLogHandlerTests.Lines? = nil,
        _ body: (PublishListener) async throws -> Void
    ) async throws {
        let folder = NSTemporaryDirectory() + "belfry-directory-\(UUID().uuidString)"
        var options = SQLiteStoreOptions(makeEpoch: { UUID().uuidString }, isLive: { _ in false })
        options.recipientsPerPage = recipientsPerPage
        let store = try SQLiteStore(folder: folder, options: options)
        let listener = try await PublishListener(store, lines: lines)
        let result: Result<Void, any Error>
        do { result = .success(try await body(listener)) } catch { result = .failure(error) }
        await listener.stop()
        await withCheckedContinuation { waiting in store.close { waiting.resume() } }
        // A folder that stays behind in the temporary one harms nobody.
        try? FileManager.default.removeItem(atPath: folder)
        try result.get()
    }

    private func body(_ answer: String) -> String { answer.components(separatedBy: "\r\n\r\n").last ?? "" }

    private static func liked(_ recipients: String, key: String = "k") -> String {
        """
        {"type": "room_liked", "key": "\(key)", "actor": {"id": "a", "username": "ann", "firstName": "Ann"},
         "to": {"owner": \(recipients)}, "data": {"room": {"id": "r", "name": "Italy"}}}
        """.replacing("\n", with: "")
    }

    @Test func `members of a topic are set, changed, listed and emptied`() async throws {
        try await withListener { listener in
            let path = "/v1/topics/room:1/members"
            var answer = try await listener.call("PUT", path, body: #"{"users": ["a", "b", "c"]}"#)
            #expect(body(answer) == #"{"topic":"room:1","added":3,"removed":0}"#)
            answer = try await listener.call("PUT", path, body: #"{"add": ["d"], "remove": ["a"]}"#)
            #expect(body(answer) == #"{"topic":"room:1","added":1,"removed":1}"#)
            answer = try await listener.call("GET", path + "?limit=2")
            #expect(body(answer) == #"{"topic":"room:1","count":3,"members":["b","c"],"next":"c"}"#)
            answer = try await listener.call("GET", path + "?limit=2&after=c")
            #expect(body(answer) == #"{"topic":"room:1","count":3,"members":["d"]}"#)
            #expect(body(try await listener.call("GET", "/v1/users/d/topics")) == #"{"topics":["room:1"]}"#)
            answer = try await listener.call("DELETE", path)
            #expect(body(answer) == #"{"topic":"room:1","added":0,"removed":3}"#)
            answer = try await listener.call("GET", path)
            #expect(body(answer) == #"{"topic":"room:1","count":0,"members":[]}"#)
        }
    }

    @Test func `topics and members whose names have control characters can be listed and let go`() async throws {
        try await withListener { listener in
            let topic = "room\u{85}"
            let users = try ["a\n1", "b\u{9B}"].map { try #require(UserID(known: $0)) }
            _ = try await withCheckedThrowingContinuation { waiting in
                listener.node.store.replaceMembers(of: topic, with: users) { waiting.resume(with: $0) }
            }
            let path = "/v1/topics/room%C2%85/members"
            #expect(body(try await listener.call("GET", path)).contains(#""count":2,"members":["a\n1","#))
            var answer = try await listener.call("PUT", path, body: #"{"add": ["c"]}"#)
            #expect(answer.hasPrefix("HTTP/1.1 400 "))
            answer = try await listener.call("PUT", path, body: #"{"remove": ["a\n1"]}"#)
            #expect(body(answer).contains(#""added":0,"removed":1}"#))
            answer = try await listener.call("PUT", "/v1/topics/room/members", body: #"{"add": ["a\n1"]}"#)
            #expect(body(answer).contains(#""pointer":"/add/0""#))
            answer = try await listener.call("PUT", path, body: #"{"users": ["c"]}"#)
            #expect(answer.hasPrefix("HTTP/1.1 400 "))
            answer = try await listener.call("PUT", path, body: #"{"users": []}"#)
            #expect(body(answer).contains(#""added":0,"removed":1}"#))
            answer = try await listener.call("DELETE", path)
            #expect(body(answer).contains(#""added":0,"removed":0}"#))
        }
    }

    private static func members(_ count: Int) -> String {
        #"{"users": [\#(Array(repeating: #""a""#, count: count).joined(separator: ","))]}"#
    }

    @Test func `a topic's name may be as long, and a call have as many members, as may be kept`() async throws {
        try await withListener { listener in
            let path = "/v1/topics/\(String(repeating: "t", count: 200))/members"
            let answer = try await listener.call("PUT", path, body: Self.members(100_000))
            #expect(answer.hasPrefix("HTTP/1.1 200 "))
        }
    }

    static let mistakes: [(method: String, path: String, body: String, status: Int, code: String)] = [
        ("PUT", "/v1/topics/t/members", "{}", 400, "missing_field"),
        ("PUT", "/v1/topics/t/members", #"{"users": [], "add": []}"#, 400, "invalid_value"),
        ("PUT", "/v1/topics/t/members", #"{"users": "a"}"#, 400, "wrong_type"),
        ("PUT", "/v1/topics/t/members", #"{"add": ["a", ""]}"#, 400, "invalid_value"),
        ("PUT", "/v1/topics/t/members", #"{"user": ["a"]}"#, 400, "unknown_field"),
        ("PUT", "/v1/topics/t%0A/members", #"{"users": []}"#, 400, "invalid_parameter"),
        (
            "PUT", "/v1/topics/\(String(repeating: "t", count: 201))/members", #"{"users": ["a"]}"#, 400,
            "invalid_parameter"
        ),
        ("PUT", "/v1/topics/t/members", members(100_001), 400, "invalid_value"),
        ("GET", "/v1/topics/t/members?limit=0", "", 400, "invalid_parameter"),
        ("PUT", "/v1/users/a", #"{"zone": "Mars/Olympus"}"#, 422, "invalid_value"),
        ("PUT", "/v1/users/a", "[]", 422, "wrong_type"),
        ("GET", "/v1/users/nobody", "", 404, "unknown_user"),
        ("GET", "/v1/events/none", "", 404, "unknown_event"),
        ("PUT", "/v1/users/a", #"{"note": "\#(String(repeating: "x", count: 20_000))"}"#, 413, "profile_too_large"),
    ]

    @Test(arguments: mistakes)
    func `a mistake has a code`(
        _ method: String, _ path: String, _ json: String, _ status: Int, _ code: String
    ) async throws {
        try await withListener { listener in
            let answer = try await listener.call(method, path, body: json)
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
            #expect(body(answer).contains(#""code":"\#(code)""#))
        }
    }

    @Test func `a profile is kept and given back, and a person is erased with a report`() async throws {
        try await withListener { listener in
            let profile = #"{"locale":"de","plan":{"level":3}}"#
            #expect(try await listener.call("PUT", "/v1/users/a", body: profile).hasPrefix("HTTP/1.1 204 "))
            #expect(body(try await listener.call("GET", "/v1/users/a")) == profile)
            let report = body(try await listener.call("DELETE", "/v1/users/a"))
            #expect(report.hasPrefix(#"{"erased":true,"notifications":0,"#))
            #expect(report.contains(#""profile":true"#))
            #expect(body(try await listener.call("DELETE", "/v1/users/a")).hasPrefix(#"{"erased":false,"#))
            #expect(body(try await listener.call("GET", "/v1/users/a/sessions")) == #"{"sessions":[]}"#)
            #expect(body(try await listener.call("POST", "/v1/users/a/disconnect")) == #"{"sessions":0}"#)
        }
    }

    @Test func `a revocation tells how many sessions it has ended, and from when on tokens count`() async throws {
        try await withListener { listener in
            let answer = try JSONValue(parsing: Array(body(try await listener.call("POST", "/v1/users/a/revoke")).utf8))
            #expect(answer.object?["sessions"]?.int == 0)
            let moment = try #require(answer.object?["issuedBefore"]?.string.flatMap(Timestamp.init(iso8601:)))
            #expect(moment.milliseconds % 1_000 == 0)
            #expect(moment > listener.node.now())
        }
    }

    @Test func `the log tells of an erasure only where somebody was known`() async throws {
        let lines = JSONLogHandlerTests.Lines()
        try await withListener(lines: lines) { listener in
            _ = try await listener.call("DELETE", "/v1/users/nobody")
            #expect(!lines.all.contains { $0.contains("a person was erased") })
            _ = try await listener.call("PUT", "/v1/users/a", body: "{}")
            _ = try await listener.call("DELETE", "/v1/users/a")
            #expect(lines.all.count { $0.contains("a person was erased") } == 1)
            #expect(!lines.all.contains { $0.contains("nobody") })
        }
    }

    @Test func `an event for a large topic is answered when all have it, with exact counts`() async throws {
        try await withListener(recipientsPerPage: 10) { listener in
            let users = (0..<95).map { #""u\#($0)""# }.joined(separator: ",")
            _ = try await listener.call("PUT", "/v1/topics/fans/members", body: #"{"users": [\#(users), "a"]}"#)
            let answer = body(try await listener.publish(Self.liked(#"{"topic": "fans"}"#)))
            #expect(answer.contains(#""recipients":95,"created":95,"updated":0,"suppressed":1}"#))
            let again = body(try await listener.publish(Self.liked(#"{"topic": "fans"}"#)))
            #expect(again.contains(#""created":95"#) && again.contains(#""replayed":true"#))
            let event = try #require(answer.split(separator: "\"").first { $0.hasPrefix("evt_") })
            let progress = body(try await listener.call("GET", "/v1/events/\(event)"))
            #expect(progress.contains(#""state":"done","recipients":95"#))
            #expect(progress.contains(#""total":96"#))
        }
    }

    @Test func `an event for everybody is answered at once, and its progress can be asked for`() async throws {
        try await withListener(recipientsPerPage: 10) { listener in
            let users = (0..<95).map { #""u\#($0)""# }.joined(separator: ",")
            _ = try await listener.call("PUT", "/v1/topics/fans/members", body: #"{"users": [\#(users)]}"#)
            let answer = body(try await listener.publish(Self.liked(#"{"all": true}"#)))
            #expect(answer.contains(#""state":"working","total":95"#))
            let event = try #require(answer.split(separator: "\"").first { $0.hasPrefix("evt_") })
            var progress = ""
            let end = ContinuousClock.now + .patience
            repeat {
                progress = body(try await listener.call("GET", "/v1/events/\(event)"))
            } while progress.contains(#""state":"working""#) && ContinuousClock.now < end
            #expect(progress.contains(#""state":"done","recipients":95,"created":95"#))
        }
    }

    @Test func `lines of a stream are answered in order, also where one is for many`() async throws {
        try await withListener(recipientsPerPage: 10) { listener in
            let users = (0..<40).map { #""u\#($0)""# }.joined(separator: ",")
            let lines = [
                Self.liked("[\(users)]", key: "1"), Self.liked(#"["u1"]"#, key: "2"),
                Self.liked("[\(users)]", key: "3"),
            ]
            let answer = try await listener.publish(lines.joined(separator: "\n"), type: "application/x-ndjson")
            let counts = answer.components(separatedBy: #""recipients":"#).dropFirst().map {
                $0.prefix(while: \.isNumber)
            }
            #expect(counts == ["40", "1", "40"])
        }
    }
}
