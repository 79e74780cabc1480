import Inbox
import JSON
import Testing

@testable import Push

struct WebPushTopicTests {
    private func message(_ collapseID: String) -> PushMessage {
        PushMessage(
            content: content(), badge: 1, notification: nil, collapseID: collapseID,
            position: PushMessage.Position(epoch: "e1", seq: 1), expiry: now + .seconds(60))
    }

    private func topic(_ collapseID: String) throws -> String {
        let request = try #require(try webPush(message(collapseID)))
        return try #require(request.headers.first { $0.name == "topic" }?.value)
    }

    private static let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

    @Test(arguments: [
        ("n1-1", "n1-1"), ("n1-10", "n1-10---"), ("n1-10_", "n1-10_--"), ("n1-100", "n1-100--"),
        ("n1-1000", "n1-1000-"), ("badge", "badge---"), ("test-0123456789abcdefghjk", "test-0123456789abcdefghjk---"),
        (NotificationID(inbox: .max, sequence: .max).text + "_", "n1y2p0ij32e8e7-1y2p0ij32e8e7_---"),
    ])
    func `a topic is the push's own id, filled up to a multiple of four`(id: String, expected: String) throws {
        #expect(try topic(id) == expected)
        #expect(expected.count <= 32)
    }

    @Test func `a longer id, or one of other letters, has a topic all the same, and its own`() throws {
        let far = NotificationID(inbox: .max, sequence: .max).text + "__"
        let topics = try [far + "1y2p0ij32e8e7", far + "1y2p0ij32e8e6", "", "a b", "ä"].map(topic)
        #expect(topics.allSatisfy { $0.count == 32 && $0.allSatisfy(Self.alphabet.contains) })
        #expect(Set(topics).count == topics.count)
        #expect(try topic(far + "1y2p0ij32e8e7") == topics[0])
    }

    @Test func `the topic of a replace key is the key's id as before`() throws {
        var replaced = content()
        replaced.replaceKey = "room:789"
        let id = try #require(replaced.replacementID)
        #expect(try topic(id) == id)
    }

    /// By Apple's rules, with ids of inboxes and notifications drawn at random.
    @Test func `none of ten thousand pushes is refused, and each id keeps a topic of its own`() throws {
        let standIn = WebPushStandIn(baseURL: pushService, subscribers: ["sub-1": try subscriber()])
        // The encrypted and the decrypted payload are the same for all of them.
        let sample = try #require(try webPush(message("n1-1")))
        let place = try #require(sample.headers.firstIndex { $0.name == "topic" })
        var (ids, topics) = (Set<String>(), Set<String>())
        var chance = SeededGenerator(seed: 2_025)
        for _ in 0..<10_000 {
            let (inbox, sequence) = (
                Int64.random(in: 1...50_000, using: &chance), Int64.random(in: 1...50_000, using: &chance)
            )
            let own = NotificationID(inbox: inbox, sequence: sequence).text
            // A notification by itself, a fold of several, and one beside a fold.
            let end = String(Int.random(in: 1...50_000, using: &chance), radix: 36)
            let id = [own, own + "_" + end, own + "__" + end][Int.random(in: 0..<3, using: &chance)]
            let topic = try topic(id)
            #expect(topic.count.isMultiple(of: 4) && topic.count <= 32 && topic.allSatisfy(Self.alphabet.contains))
            var request = SinkRequest(sample)
            request.headers[place].value = topic
            let reply = standIn.receive(request, credential: .valid, id: "1").reply
            #expect(reply.status == 201, "\(id)")
            ids.insert(id)
            topics.insert(topic)
        }
        #expect(topics.count == ids.count)
    }

    @Test(arguments: [
        ("n1-10", true), ("collie-update", true), ("t", true), ("collie-herd", false), ("collie-updat", false),
    ])
    func `a topic that Apple cannot decode is refused with Apple's word`(topic: String, isRefused: Bool) throws {
        let standIn = WebPushStandIn(baseURL: pushService, subscribers: ["sub-1": try subscriber()])
        var request = SinkRequest(try #require(try webPush(message("n1-1"))))
        request.headers.removeAll { $0.name == "topic" }
        request.headers.append((name: "topic", value: topic))
        let reply = standIn.receive(request, credential: .valid, id: "1").reply
        #expect(reply.status == (isRefused ? 400 : 201))
        let verdict = WebPushVerdict(reply, bodyBytes: 400, at: now).verdict
        #expect(verdict == (isRefused ? .refused(reason: "BadWebPushTopic") : .accepted))
    }

    @Test func `FCM hands browsers the same topic`() throws {
        let request = PushRequest(
            fcm: message("n1-10"), to: device(token: "t123", provider: .fcm), settings: FCMSettings(projectID: "p"),
            accessToken: "a", at: now)
        #expect(try json(request).at(["message", "webpush", "headers", "Topic"]) == "n1-10---")
        #expect(try json(request).at(["message", "webpush", "notification", "tag"]) == "n1-10")
    }
}
