import JSON
import Testing

@testable import WireProtocol

struct ServerFrameTests {
    static let change = LiveChange(seq: 42, unread: 5, unseen: 2, delta: 1)
    static let replayed = LiveChange(seq: 42, unread: 5, unseen: 2, delta: -3, isReplay: true)
    static let json = Array(#"{"id":"n1-2"}"#.utf8)

    static let frames: [(bytes: [UInt8], text: String)] = [
        (
            ServerFrame.ready(
                session: "s1", epoch: "e1", seq: 42, unread: 5, unseen: 2, heartbeat: .seconds(25),
                limits: LiveLimits(), isRecovered: true),
            #"{"type":"ready","session":"s1","epoch":"e1","seq":42,"unread":5,"unseen":2,"heartbeat":25000,"limits":"#
                + #"{"frameBytes":65536,"frames":100,"framesWindow":10000,"sessions":16,"queuedBytes":65536,"#
                + #""stallTimeout":20000},"recovered":true}"#
        ),
        (
            ServerFrame.new(change, notification: { $0.raw(json) }),
            #"{"type":"new","seq":42,"unread":5,"unseen":2,"delta":1,"notification":{"id":"n1-2"}}"#
        ),
        (
            ServerFrame.update(replayed, notification: { $0.raw(json) }),
            #"{"type":"update","seq":42,"unread":5,"unseen":2,"delta":-3,"replay":true,"notification":{"id":"n1-2"}}"#
        ),
        (
            ServerFrame.read(change, .ids(["a", "b\""])),
            #"{"type":"read","seq":42,"unread":5,"unseen":2,"delta":1,"ids":["a","b\""]}"#
        ),
        (
            ServerFrame.read(replayed, .upTo(40)),
            #"{"type":"read","seq":42,"unread":5,"unseen":2,"delta":-3,"replay":true,"upTo":40}"#
        ),
        (
            ServerFrame.removed(change, .ids([])),
            #"{"type":"removed","seq":42,"unread":5,"unseen":2,"delta":1,"ids":[]}"#
        ),
        (
            ServerFrame.seen(change, upTo: 41),
            #"{"type":"seen","seq":42,"unread":5,"unseen":2,"delta":1,"upTo":41}"#
        ),
        (ServerFrame.gap(from: 3, to: 9, unread: 5), #"{"type":"gap","from":3,"to":9,"unread":5}"#),
        (ServerFrame.gap(feed: "posts", from: 3, to: 9), #"{"type":"gap","feed":"posts","from":3,"to":9}"#),
        (
            ServerFrame.reset(epoch: "e2", seq: 1, unread: 1, unseen: 1, notifications: "[{}]".utf8),
            #"{"type":"reset","epoch":"e2","seq":1,"unread":1,"unseen":1,"notifications":[{}]}"#
        ),
        (
            ServerFrame.item(feed: "posts", offset: 8, item: json),
            #"{"type":"item","feed":"posts","offset":8,"item":{"id":"n1-2"}}"#
        ),
        (
            ServerFrame.feed("posts", epoch: "f1", offset: 8, isRecovered: false),
            #"{"type":"feed","feed":"posts","epoch":"f1","offset":8,"recovered":false}"#
        ),
        (ServerFrame.beat(seq: 42, unread: 5), #"{"type":"beat","seq":42,"unread":5}"#),
        (ServerFrame.renew(within: .seconds(25)), #"{"type":"renew","within":25000}"#),
        (ServerFrame.drain(reconnectIn: .milliseconds(1250)), #"{"type":"drain","reconnectIn":1250}"#),
        (
            ServerFrame.unsubscribed(feed: "room:7", code: .feedRefused),
            #"{"type":"unsubscribed","feed":"room:7","code":"feed_refused"}"#
        ),
        (ServerFrame.ok(id: "7"), #"{"type":"ok","id":7}"#),
        (ServerFrame.ok(id: #""x""#), #"{"type":"ok","id":"x"}"#),
        (
            ServerFrame.error(id: nil, .overloaded, message: "later"),
            #"{"type":"error","code":"overloaded","message":"later","temporary":true}"#
        ),
    ]

    @Test func `every frame has just the fields of the protocol, type first`() {
        for (bytes, text) in Self.frames { #expect(bytes.text == text) }
    }

    @Test func `a client reads what the gateway writes`() throws {
        let frames = try Self.frames.map { try ReceivedFrame(parsing: $0.bytes) }
        #expect(frames.map(\.json) == Self.frames.map(\.bytes))
        let first = try #require(frames.first)
        #expect(first.type == "ready")
        #expect((first.seq, first.unread, first.unseen) == (42, 5, 2))
        #expect(first.epoch == "e1")
        #expect(first.object["recovered"] == true)
        #expect(frames.last?.seq == nil)
    }

    @Test func `several frames in one message are read one by one`() throws {
        let message = Self.frames.map(\.text).joined(separator: "\n")
        #expect(try ReceivedFrame.frames(in: Array(message.utf8)).map(\.json) == Self.frames.map(\.bytes))
    }

    @Test(arguments: ["[]", "{}", #"{"type":1}"#])
    func `an object without a type is no frame`(_ text: String) {
        #expect(throws: ReceivedFrame.Problem.missingType) { try ReceivedFrame(parsing: Array(text.utf8)) }
    }

    @Test func `a text that is not JSON is no frame`() {
        #expect(throws: ReceivedFrame.Problem.self) { try ReceivedFrame(parsing: Array("{".utf8)) }
    }
}
