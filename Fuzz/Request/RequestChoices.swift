import FuzzedNode
import JSON

@testable import Gateway

/// Requests that the bytes of an input make up: of a route of the tables, with an example's body or with something else.
struct RequestChoices {
    struct Request: CustomStringConvertible {
        let bytes: [UInt8]
        let isPublisher: Bool
        let token: String
        /// Whether nothing of it was broken.
        let isWhole: Bool
        let json: JSONValue?
        var isHead: Bool { bytes.starts(with: "HEAD".utf8) }

        var description: String { "\(isPublisher ? "publisher" : "app"): \(String(decoding: bytes, as: UTF8.self))" }
    }

    static let catalog = """
        catalog: made
        actor: [id, username]
        categories: {room: {title: Room}}
        events:
          said: {data: [text, room.id], routes: [{to: people, type: SAID}]}
          added: {routes: [{to: people, type: ADDED}, {to: others, type: SAID}]}
          asked: {data: [text], routes: [{to: people, type: ASKED}]}
        types:
          SAID:
            {text: "{{text}}", category: room, subjects: {room: "{{room.id}}"}, fields: {isFollowingBack: null},
             group: "room:{{room.id}}", groupText: "{{count}} in {{room.id}}", push: {title: Said, body: "{{text}}"}}
          ADDED:
            text: "{{actor}} added {{things}}"
            batch: {window: 5m, by: [actor.id], count: things, nouns: {one: a thing, other: "{{count}} things"}}
            push: {title: Added, body: "{{things}}"}
          ASKED: {text: "{{text}}", question: {actions: {yes: "Yes", no: "No"}, asks: true, answerBy: 1h, default: no}}
        feeds: {posts: {access: public, id: id, author: author, tags: tags, time: at}, "room:*": {access: {topic: "room:*"}}}
        """

    /// These work on threads of their own, and so outside of the node's turns.
    private static let left = ["/v1/reload", "/v1/events/{event}/answers", "/v1/push"]
    private static let publicRoutes = PublicService.routes.map { ($0.method, $0.path, $0.query.parameters.map(\.name)) }
    private static let publisherRoutes = PublishingService.routes
        .map { ($0.method, $0.path, $0.query.parameters.map(\.name)) }.filter { !left.contains($0.1) }

    /// A body that each route takes, by the end of its path.
    private static let bodies: [(end: String, text: String)] = [
        (
            "/v1/events",
            #"{"type":"said","key":"k1","actor":{"id":"renee"},"to":{"people":["ada","bob"]},"data":{"text":"hi","room":{"id":"7"}}}"#
        ),
        (
            "/v1/events",
            #"[{"type":"added","to":{"people":["ada"]},"data":{"things":[1,2]}},{"type":"asked","to":{"people":["ada"]},"data":{"text":"?"}}]"#
        ),
        (
            "/v1/events",
            #"{"type":"said","to":{"people":{"topic":"room:7"}},"data":{"text":"x","room":{"id":"7"}},"notBefore":"2027-01-15T08:00:00Z"}"#
        ),
        (
            "/v1/events",
            #"{"specversion":"1.0","type":"said","source":"/s","id":"1","data":{"to":{"people":["ada"]},"data":{"text":"x","room":{"id":"7"}}}}"#
        ),
        ("/v1/events", #"{"type":"said","to":{"people":{"all":true}},"data":{"text":"x","room":{"id":"7"}}}"#),
        ("/v1/notifications", #"{"isFollowingBack":true}"#),
        ("/items", #"[{"id":"1","author":"ada","tags":["t"],"text":"x"}]"#),
        ("/items/{id}", #"{"id":"1","text":"y"}"#), ("/viewed", #"{"upTo":{"epoch":"epoch1","offset":1}}"#),
        ("/members", #"{"add":["ada","bob"],"remove":["cleo"]}"#), ("/members", #"{"members":["ada"]}"#),
        ("/v1/users/{user}", #"{"locale":"de","zone":"Europe/Berlin","data":{"name":"Ada"}}"#),
        ("/read", #"{"ids":["n1-1"]}"#), ("/read", #"{"group":"room:7"}"#), ("/read-all", #"{"upTo":3}"#),
        ("/seen", #"{"upTo":2}"#), ("/answer", #"{"action":"yes"}"#), ("/settings", #"{"locale":"de"}"#),
        ("/preferences", #"{"types":{"SAID":{"push":false}},"categories":{"room":{"inApp":null}}}"#),
        ("/mutes/{subject}", #"{"until":"2027-06-15T08:00:00Z"}"#), ("/snooze", #"{"hours":8}"#),
        ("/quiet-hours", #"{"zone":"Europe/Berlin","windows":[{"days":["mon"],"from":"22:00","to":"07:00"}]}"#),
        (
            "/devices/{id}",
            #"{"provider":"apns","token":"00ff","platform":"ios","environment":"sandbox","locale":"de"}"#
        ),
        ("/player-id", #"{"playerId":"7f1ab3d0-5b1c-4c1e-9d1c-0123456789ab"}"#),
        ("/register-device", #"{"deviceId":"d","playerId":"7f1ab3d0-5b1c-4c1e-9d1c-0123456789ab","address":"ada"}"#),
        ("/poll", #"{"address":"ada","types":["SAID"],"lastSeen":"2025-07-04T15:02:44.161Z"}"#),
        ("/subscription", #"{"endpoint":"https://push.example/1","keys":{"p256dh":"BA","auth":"AA"}}"#),
        ("/test-push", #"{"device":"phone","title":"t"}"#), ("/frames/{session}", #"{"type":"ack","seq":1}"#),
    ]
    private static let members = [
        "type", "key", "to", "data", "people", "ids", "upTo", "group", "text", "room", "id", "topic", "all", "user",
        "until", "hours", "zone", "windows", "days", "from", "provider", "token", "keys", "action", "add", "remove",
        "members", "locale", "occurredAt", "notBefore", "expiresAt", "push", "question", "actions", "answerBy",
    ]
    private static let texts = [
        "ada", "bob", "room:7", "said", "SAID", "2027-01-15T08:00:00Z", "9999-12-31T23:59:59Z", "0000-01-01T00:00:00Z",
        "k1", "yes", "", "apns", "UTC", "23:59", "24:00", "\u{0}", "\u{202E}", "~/", String(repeating: "x", count: 300),
    ]
    private static let values = [
        "1", "0", "-1", "7", "101", "9223372036854775807", "9223372036854775808", "true", "false", "ada", "SAID", "t",
        "room", "room:7", "epoch1", "epoch1.1", "2027-01-15T08:00:00Z", "posts", "k1", "uid:0", "", "%", "%00", "+",
        "a,b",
        "4s", "yes", "said",
    ]

    private var choices: Choices
    private let tokens: [String]
    /// Ids that earlier answers have told.
    private var known = ["ada", "bob", "n1-1", "n1-2", "n2-1", "room:7", "posts", "k1", "phone", "1"]

    init(_ bytes: [UInt8], token: (String) -> String) {
        choices = Choices(bytes)
        tokens = ["ada", "bob"].map(token)
    }

    var isEmpty: Bool { choices.isEmpty }

    /// What everything begins with.
    var firstEvents: [UInt8] {
        let body = """
            [{"type":"said","key":"k0","actor":{"id":"renee"},"to":{"people":["ada","bob"]},"data":{"text":"hi","room":{"id":"7"}}},
            {"type":"added","to":{"people":["ada"]},"data":{"things":[1,2]}},
            {"type":"asked","to":{"people":["ada","bob"]},"data":{"text":"?"}}]
            """
        return Array("POST /v1/events HTTP/1.1\r\nHost: h\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
    }

    mutating func learn(from answers: [PlainResponse]) {
        for answer in answers {
            guard let json = answer.body.withOwnMemory({ try? JSONValue(parsing: $0) }) else { continue }
            collect(json)
        }
        known = known.suffix(60)
    }

    private mutating func collect(_ json: JSONValue) {
        for value in json.array ?? [] { collect(value) }
        for member in json.object?.members ?? [] {
            if ["id", "event", "session", "epoch", "token"].contains(member.key), let text = member.value.string {
                known.append(text)
            }
            collect(member.value)
        }
    }

    // MARK: Making one

    mutating func request() -> Request {
        let isPublisher = choices.isOne(in: 2)
        let routes = isPublisher ? Self.publisherRoutes : Self.publicRoutes
        let (method, path, parameters) = choices.pick(routes)
        var target = ""
        for segment in path.split(separator: "/") {
            target += "/" + (segment.hasPrefix("{") ? name() : String(segment))
        }
        if path == "/" { target = "/" }
        target += query(parameters)
        let (body, json) = body(for: path, method)
        let token = choices.pick(tokens)
        var head =
            "\(choices.isOne(in: 12) ? choices.pick(["HEAD", "OPTIONS", "GET", "PATCH"]) : method) \(target) HTTP/1.1\r\n"
        head += "Host: h\r\n" + headers(token, isPublisher)
        if !body.isEmpty { head += "Content-Length: \(body.count)\r\n" }
        let whole = Array("\(head)\r\n".utf8) + body
        let bytes = choices.broken(whole)
        return Request(bytes: bytes, isPublisher: isPublisher, token: token, isWhole: bytes == whole, json: json)
    }

    /// The parameter of a path.
    private mutating func name() -> String {
        let name = choices.isOne(in: 2) ? choices.pick(known) : choices.text(known + Self.values)
        return String(
            decoding: name.utf8.flatMap { byte -> [UInt8] in
                let isPlain =
                    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) || [0x2D, 0x2E].contains(byte)
                return isPlain
                    ? [byte]
                    : Array("%".utf8) + Array(String(byte >> 4, radix: 16).utf8)
                        + Array(String(byte & 15, radix: 16).utf8)
            }, as: UTF8.self)
    }

    private mutating func query(_ parameters: [String]) -> String {
        var query = ""
        for _ in 0..<choices.number(below: 4) {
            let name = parameters.isEmpty || choices.isOne(in: 8) ? "x" : choices.pick(parameters)
            query +=
                "\(query.isEmpty ? "?" : "&")\(name)=\(choices.isOne(in: 3) ? self.name() : choices.pick(Self.values))"
        }
        return query
    }

    private mutating func headers(_ token: String, _ isPublisher: Bool) -> String {
        var headers = ""
        if !isPublisher, !choices.isOne(in: 8) { headers += "Authorization: Bearer \(token)\r\n" }
        for _ in 0..<choices.number(below: 3) {
            headers += choices.pick([
                "Content-Type: application/json\r\n", "Content-Type: application/x-ndjson\r\n",
                "Content-Type: application/cloudevents+json\r\n",
                "Content-Type: application/cloudevents-batch+json\r\n",
                "ce-specversion: 1.0\r\nce-type: said\r\nce-source: /s\r\nce-id: 1\r\n", "Idempotency-Key: k1\r\n",
                "If-None-Match: \"epoch1.1\"\r\n", "If-None-Match: *\r\n", "Connection: close\r\n",
                "Expect: 100-continue\r\n",
                "Last-Event-ID: epoch1.1\r\n", "Origin: https://a.example\r\n", "X-Forwarded-For: 192.0.2.1\r\n",
                "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                    + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: belfry.v1\r\n",
                "traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\r\n",
            ])
        }
        return headers
    }

    /// - Returns: also the value, if the body is one of JSON.
    private mutating func body(for path: String, _ method: String) -> ([UInt8], JSONValue?) {
        guard method != "GET" || choices.isOne(in: 8) else { return ([], nil) }
        let examples = Self.bodies.filter { path.hasSuffix($0.end) }.map(\.text)
        let json: JSONValue?
        switch choices.number(below: 4) {
        case 0, 1:
            let text = examples.isEmpty ? choices.pick(Self.bodies).text : choices.pick(examples)
            json = (try? JSONValue(parsing: text)).map { changed($0) }
        case 2: json = choices.json(members: Self.members, texts: Self.texts + known)
        default: json = nil
        }
        guard let json else { return (choices.bytes(upTo: 60), nil) }
        let bytes = choices.broken(json.encoded)
        return (bytes, bytes == json.encoded ? json : nil)
    }

    /// The value, now and then with a member of another value or none.
    private mutating func changed(_ value: JSONValue) -> JSONValue {
        if choices.isOne(in: 16) { return choices.json(members: Self.members, texts: Self.texts + known, depth: 2) }
        switch value {
        case .object(let object):
            var changed: JSONObject = [:]
            for member in object.members where !choices.isOne(in: 24) {
                changed[member.key] = self.changed(member.value)
            }
            if choices.isOne(in: 12) {
                changed[choices.text(Self.members)] = choices.json(
                    members: Self.members, texts: Self.texts + known, depth: 2)
            }
            return .object(changed)
        case .array(let array): return .array(array.map { self.changed($0) })
        case .string: return choices.isOne(in: 8) ? .string(choices.text(Self.texts + known)) : value
        case .null, .bool, .int, .double, .number: return value
        }
    }
}
