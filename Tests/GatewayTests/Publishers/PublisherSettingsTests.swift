import Inbox
import Testing
import Transport
import WireProtocol

@testable import Gateway

@Suite struct `Settings of publishers` {
    private func read(_ yaml: String) throws(InvalidSettings) -> Settings {
        var reader = SettingsReader()
        reader.read(yaml: yaml, file: "belfry.yaml")
        return try reader.finish()
    }

    private func problems(_ yaml: String) -> [String] {
        do {
            _ = try read(yaml)
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    private static let hash = PublisherKey.hash(of: "a-key")

    @Test func `say who each is, and what it may`() throws {
        let settings = try read(
            """
            auth: {apps: {golf: }}
            publishers:
              golf-backend:
                uid: 4001
                app: golf
                events: [round_joined, round_left]
                calls: [publish, feeds]
                eventsPerSecond: 50
                burst: 200
                bytesUnderWay: 65536
              cloud: {keyHash: \(Self.hash)}
            """)
        let golf = settings[publisher: "golf-backend"]
        #expect((golf.uid, golf.app, golf.calls) == (4_001, "golf", [.publish, .feeds]))
        #expect((golf.events.count, golf.eventsPerSecond, golf.burst, golf.bytesUnderWay) == (2, 50, 200, 65_536))
        #expect(settings[publisher: "cloud"].calls == [.publish, .retract, .patch, .trail])
    }

    @Test(arguments: [
        ("publishers:\n  a: {}", "expected uid, gid or keyHash"),
        ("publishers:\n  a:\n", "expected uid, gid or keyHash"),
        ("publishers:\n  a: {uid: 1}\n  b: {uid: 1}", "publishers.b.uid: is also that of a"),
        ("publishers:\n  a: {keyHash: abc}", "what `belfry publisher key` prints"),
        ("publishers:\n  a: {uid: -1}", "a user's number"),
        ("publishers:\n  a: {uid: 1, app: golf}", "no app of auth.apps"),
        ("publishers:\n  a: {uid: 1, calls: [everything]}", "publish, retract, patch"),
        ("publishers:\n  a: {uid: 1, evnts: []}", #"did you mean "events"?"#),
        ("publishers:\n  a b: {uid: 1}", "letters and digits"),
        ("publishers: [a]", "expected names"),
        ("publishing: {listen: '127.0.0.1:0'}", "nobody could publish there"),
        ("publishing: {listen: '127.0.0.1:0'}\npublishers: {a: {uid: 1}}", "nobody could publish there"),
        ("publishing: {listen: '0.0.0.0:0'}\npublishers: {a: {keyHash: \(hash)}}", "needs publishing.certificateFile"),
        ("publishing: {listen: ':0'}\npublishers: {a: {keyHash: \(hash)}}", "needs publishing.certificateFile"),
        ("publishing: {listen: 'unix:/tmp/a'}\npublishers: {a: {keyHash: \(hash)}}", "expected HOST:PORT"),
        ("publishing: {certificateFile: a.pem}", "publishing.keyFile: is missing"),
    ])
    func `that are mistaken are told with what was expected`(_ yaml: String, _ told: String) {
        let problems = problems(yaml)
        #expect(problems.count == 1)
        #expect(problems.first?.contains(told) == true)
    }

    @Test func `hold a key's hash, which tells nothing of the key`() {
        let (one, other) = (PublisherKey(), PublisherKey())
        #expect(one.text != other.text && one.text.hasPrefix("belfry_") && one.text.utf8.count == 50)
        #expect(PublisherKey.isHash(PublisherKey.hash(of: one.text)))
        // From `printf abc | sha256sum`.
        #expect(PublisherKey.hash(of: "abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    @Test(arguments: [
        "publishing: {listen: '127.0.0.1:0'}", "publishing: {listen: ':0', certificateFile: a.pem, keyFile: b.pem}",
        "publishing: {listen: ':0'}\ntls: {certificateFile: a.pem, keyFile: b.pem}",
    ])
    func `may name a listener for other machines, which is encrypted or stays on this one`(_ yaml: String) throws {
        #expect(try read(yaml + "\npublishers: {a: {keyHash: \(Self.hash)}}").publishing.listen != nil)
    }

    @Test func `are looked up by their own name alone`() throws {
        let names = (0..<300).map { "app\($0)" }
        let apps = names.map { "    \($0): {secretFile: \($0).secret, audience: [\($0)]}" }.joined(separator: "\n")
        let settings = try read("auth:\n  apps:\n\(apps)")
        #expect(settings.namedApps.count == 300)
        #expect(settings.field(at: "auth.apps.app7.leeway")?.variable == "BELFRY_AUTH_APPS_APP7_LEEWAY")
        #expect(settings.field(at: "auth.apps.none.leeway") == nil && settings.field(at: "auth.leeway") != nil)
        #expect(settings.isGroup("auth") && !settings.isGroup("auth.leeway") && !settings.isGroup("auth.apps.none"))
    }

    // MARK: Who calls

    private func publisher(
        _ yaml: String, user: UInt32? = nil, group: UInt32? = nil, authorization: String? = nil, isLocal: Bool = true
    ) throws -> Publisher {
        let directory = PublisherDirectory(try read(yaml), at: .noon)
        var headers = HTTPHeaders()
        if let authorization { headers.add("Authorization", authorization) }
        headers.add("Host", "belfry")
        let head = try HTTPRequestHead(method: "GET", target: "/v1/push", headers: headers)
        return try directory.publisher(of: head, from: Peer(userID: user, groupID: group, isLocal: isLocal))
    }

    @Test func `are none: then everybody may do everything, by the user's number`() throws {
        let publisher = try publisher("", user: 7)
        #expect(publisher.name == "uid:7" && publisher.record == nil && publisher.reachesOthers)
        try publisher.check(.erase)
    }

    @Test func `find a caller by its key, else its user, else its group`() throws {
        let yaml = "publishers: {user: {uid: 7}, group: {gid: 8}, key: {keyHash: \(Self.hash)}}"
        #expect(try publisher(yaml, user: 7, group: 8).name == "user")
        #expect(try publisher(yaml, user: 9, group: 8).name == "group")
        #expect(try publisher(yaml, user: 7, authorization: "Bearer a-key").name == "key")
    }

    @Test func `on other machines are known by their keys alone`() throws {
        let yaml = "publishers: {user: {uid: 7}, key: {keyHash: \(Self.hash)}}"
        #expect(try publisher(yaml, authorization: "bearer a-key", isLocal: false).name == "key")
        for (authorization, code) in [(nil, "key_required"), ("Bearer other", "unknown_key")] {
            #expect { try publisher(yaml, user: 7, authorization: authorization, isLocal: false) } throws: {
                ($0 as? Problem)?.code == code
            }
        }
    }

    @Test(
        arguments: [(nil, "unknown_publisher"), ("Bearer other", "unknown_key"), ("Basic x", "unknown_key")]
            as [(String?, String)])
    func `know nobody else`(_ authorization: String?, _ code: String) {
        let yaml = "publishers: {user: {uid: 7}}"
        #expect { try publisher(yaml, user: authorization == nil ? 9 : 7, authorization: authorization) } throws: {
            ($0 as? Problem)?.code == code
        }
    }
}
