import JSON
import Testing
import WireProtocol

@testable import Bench

struct FrameGlanceTests {
    private func glance(_ frame: [UInt8]) -> FrameGlance { frame.withUnsafeBytes { FrameGlance($0) } }

    @Test func `knows the frames that the gateway writes`() {
        let change = LiveChange(seq: 4_711, unread: 3, unseen: 2, delta: 1)
        let notification: (inout JSONWriter) -> Void = { $0.object { _ in } }
        #expect(glance(ServerFrame.new(change, notification: notification)) == .notification(seq: 4_711))
        #expect(glance(ServerFrame.update(change, notification: notification)) == .notification(seq: 4_711))
        #expect(glance(ServerFrame.item(feed: "a", offset: 1, item: Array("{}".utf8))) == .item)
        #expect(glance(ServerFrame.feed("a", epoch: "e", offset: 1, isRecovered: false)) == .feed)
        #expect(glance(ServerFrame.ok(id: "1")) == .ok)
        #expect(glance(ServerFrame.beat(seq: 1, unread: 0)) == .other)
        #expect(glance(ServerFrame.gap(from: 1, to: 2, unread: 0)) == .gap)
        #expect(
            glance(ServerFrame.reset(epoch: "e", seq: 1, unread: 0, unseen: 0, notifications: Array("[]".utf8)))
                == .reset)
        #expect(glance(ServerFrame.error(id: nil, .wrongType, message: "m")) == .error)
        #expect(
            glance(
                ServerFrame.ready(
                    session: "s", epoch: "e", seq: 1, unread: 0, unseen: 0, heartbeat: .seconds(25),
                    limits: LiveLimits(),
                    isRecovered: true)) == .ready)
    }

    @Test(arguments: ["", "{", "[]", #"{"type":"new""#, #"{"type":"newer","seq":1}"#, #"{"type":"read","seq":1}"#])
    func `takes nothing else for one of them`(_ text: String) {
        #expect(glance(Array(text.utf8)) == .other)
    }
}
