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

    // MARK: Who calls

    private func publisher(_ yaml: String, user: UInt32? = nil, group: UInt32? = nil, authorization: String? = nil)
        throws
        -> Publisher
    {
        let directory = PublisherDirectory(try read(yaml), at: .noon)
        var headers = HTTPHeaders()
        if let authorization { headers.add("Authorization", authorization) }
        headers.add("Host", "belfry")
        let head = try HTTPRequestHead(method: "GET", target: "/v1/push", headers: headers)
        return try directory.publisher(of: head, from: Peer(userID: user, groupID: group, isLocal: true))
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
