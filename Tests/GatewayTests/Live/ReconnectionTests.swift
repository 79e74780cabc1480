import EngineClient
import Testing
import Transport
import WireProtocol

/// A client's behaviour after its session has ended.
struct ReconnectionTests {
    private static let ready = #"{"type":"ready","epoch":"e","seq":7,"recovered":false}"#

    private static let back = #"{"type":"ready","epoch":"e","seq":90,"recovered":true}"#
    private static let start = ContinuousClock.now

    /// The state of a client that was shown these frames.
    private func shown(_ frames: String...) throws -> Reconnection {
        var reconnection = Reconnection()
        for frame in frames { try show(&reconnection, frame) }
        return reconnection
    }

    private func show(_ reconnection: inout Reconnection, _ frame: String, after time: Duration = .zero) throws {
        reconnection.received(try ReceivedFrame(parsing: Array(frame.utf8)), at: Self.start + time)
    }

    private func closed(
        _ reconnection: inout Reconnection, _ code: UInt16, after time: Duration = .zero, jitter: Double = 0
    ) -> Reconnection.Decision {
        reconnection.closed(code: code, at: Self.start + time, jitter: jitter)
    }

    // MARK: From where

    @Test(arguments: [
        (#"{"type":"new","seq":8}"#, 8), (#"{"type":"seen","seq":8,"upTo":3}"#, 8),
        (#"{"type":"gap","from":8,"to":12,"unread":1}"#, 12), (#"{"type":"beat","seq":9,"unread":1}"#, 7),
        (#"{"type":"gap","feed":"posts","from":8,"to":12}"#, 7), (#"{"type":"new","seq":5}"#, 7),
    ])
    func `it goes on behind the last change that was told`(frame: String, seq: Int64) throws {
        #expect(try shown(Self.ready, frame).resume == .init(epoch: "e", seq: seq))
    }

    @Test func `a session that resumes and ends amid its replay leaves the rest to the next one`() throws {
        let replayed = #"{"type":"new","seq":8,"replay":true}"#
        #expect(try shown(Self.ready, Self.back).resume?.seq == 7)
        #expect(try shown(Self.ready, Self.back, replayed).resume?.seq == 8)
    }

    @Test(arguments: [
        (#"{"type":"update","seq":9}"#, 9), (#"{"type":"read","seq":9,"upTo":3}"#, 8),
        (#"{"type":"gap","from":9,"to":12,"unread":1}"#, 8),
    ])
    func `the last notification that was shown is acknowledged again`(frame: String, seq: Int64) throws {
        let new = #"{"type":"new","seq":8}"#
        #expect(try shown(Self.ready, new, frame).shown == seq)
        #expect(try shown(Self.ready, new, frame, Self.back).shown == seq)
        #expect(try shown(Self.ready).shown == nil)
    }

    @Test func `nothing of an inbox that begins anew was shown yet`() throws {
        let new = #"{"type":"new","seq":8}"#
        #expect(try shown(Self.ready, new, Self.ready).shown == nil)
    }

    @Test func `after a reset it goes on from that`() throws {
        let reset = #"{"type":"reset","epoch":"f","seq":2,"unread":0,"unseen":0,"notifications":[]}"#
        #expect(try shown(Self.ready, reset).resume == .init(epoch: "f", seq: 2))
    }

    @Test func `a feed goes on behind its last item, also where it ended before all that was missed`() throws {
        let begun = #"{"type":"feed","feed":"posts","epoch":"p","offset":4,"recovered":false}"#
        let item = #"{"type":"item","feed":"posts","offset":5,"item":{}}"#
        let back = #"{"type":"feed","feed":"posts","epoch":"p","offset":9,"recovered":true}"#
        let gap = #"{"type":"gap","feed":"posts","from":6,"to":8}"#
        let other = #"{"type":"feed","feed":"posts","epoch":"q","offset":9,"recovered":false}"#
        let later = #"{"type":"item","feed":"posts","offset":8,"item":{}}"#
        #expect(try shown(item).place(in: "posts") == nil)
        #expect(try shown(begun).place(in: "posts") == ResumePoint(epoch: "p", offset: 4))
        #expect(try shown(begun, item, back).place(in: "posts") == ResumePoint(epoch: "p", offset: 5))
        #expect(try shown(begun, item, back, gap).place(in: "posts") == ResumePoint(epoch: "p", offset: 8))
        #expect(try shown(begun, item, other).place(in: "posts") == ResumePoint(epoch: "q", offset: 0))
        #expect(try shown(begun, item, other, later).place(in: "posts") == ResumePoint(epoch: "q", offset: 8))
    }

    // MARK: When

    @Test func `delays grow up to a limit, and begin anew with a session that lasts`() throws {
        var reconnection = try shown(Self.ready)
        let delays = (0..<7).map { _ in closed(&reconnection, 1006) }
        #expect(delays == [125, 250, 500, 1_000, 2_000, 4_000, 4_000].map { .connect(after: .milliseconds($0)) })
        try show(&reconnection, Self.back, after: .seconds(20))
        let delay = closed(&reconnection, 4200, after: .seconds(29), jitter: 0.5)
        #expect(delay == .connect(after: .milliseconds(187.5)))
    }

    @Test(arguments: [4101, 4103, 1006, 4200])
    func `delays grow where each session is closed right after it was ready`(code: UInt16) throws {
        var reconnection = Reconnection()
        let delays = try (0..<7).map { round in
            try show(&reconnection, round == 0 ? Self.ready : Self.back, after: .seconds(round * 10))
            return closed(&reconnection, code, after: .seconds(round * 10 + 5))
        }
        #expect(delays == [125, 250, 500, 1_000, 2_000, 4_000, 4_000].map { .connect(after: .milliseconds($0)) })
    }

    @Test func `a session that has lasted counts once, however often nobody answers after it`() throws {
        var reconnection = try shown(Self.ready)
        #expect(closed(&reconnection, 1006, after: .seconds(60)) == .connect(after: .milliseconds(125)))
        for delay in [250, 500] {
            let decision = reconnection.failed(.closed, jitter: 0)
            #expect(decision == .connect(after: .milliseconds(delay)))
        }
        #expect(closed(&reconnection, 1006, after: .seconds(90)) == .connect(after: .seconds(1)))
    }

    @Test func `it comes back from a server that has fallen silent`() throws {
        var reconnection = try shown(Self.ready)
        let decision = reconnection.fellSilent(at: Self.start + .seconds(60), jitter: 0)
        #expect(decision == .connect(after: .milliseconds(125)))
    }

    @Test(arguments: [(4001, true), (4002, true), (1002, true), (4100, false), (4202, false), (1006, false)])
    func `it stops where the code says that trying again cannot help`(code: UInt16, stops: Bool) throws {
        var reconnection = try shown(Self.ready)
        #expect((closed(&reconnection, code) == .stop) == stops)
    }

    @Test(arguments: [(401, true), (403, true), (404, true), (429, false), (502, false), (503, false)])
    func `it stops at a refusal that is the client's fault`(status: Int, stops: Bool) throws {
        var reconnection = try shown(Self.ready)
        let failure = WebSocketConnector.Failure.refused(.refused(status: status, headers: [:]))
        let decision = reconnection.failed(failure, jitter: 0)
        #expect((decision == .stop) == stops)
    }

    @Test func `a client that never had a session is not kept trying`() {
        var reconnection = Reconnection()
        #expect(closed(&reconnection, 1006) == .stop)
        let decision = reconnection.failed(.timedOut, jitter: 0)
        #expect(decision == .stop)
    }
}
