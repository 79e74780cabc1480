import Foundation
import Testing

@testable import BelfryClient

struct SessionLifeTests {
    private static func at(_ milliseconds: Int64, chance: Double = 0.5) -> Moment {
        Moment(milliseconds: milliseconds, chance: chance)
    }

    private static func frame(_ value: JSONValue) throws -> ServerFrame { try #require(ServerFrame(value)) }

    private static func live() throws -> SessionLife {
        var session = SessionLife()
        _ = session.attempt()
        session.renewed()
        _ = session.received(try frame(["type": "ready", "heartbeat": 25_000]), at(0))
        return session
    }

    private static func waiting(_ milliseconds: Int64) -> InboxStatus {
        .waiting(retryAt: Moment.date(milliseconds: milliseconds))
    }

    @Test(arguments: [
        (4000, StopReason.mistake), (4001, .tokenRefused), (4002, .revoked), (4003, .unsupportedVersion),
        (4077, .mistake), (1002, .mistake), (1003, .mistake), (1007, .mistake), (1009, .mistake),
    ])
    func `a close code that says trying again cannot help stops the client for good`(_ code: Int, _ reason: StopReason)
        throws
    {
        var session = try Self.live()
        #expect(session.closed(code, Self.at(1_000)) == [.drop, .timer(nil), .stopped(reason)])
        #expect(session.status == .stopped(reason))
        #expect(session.wake(Self.at(9_000_000)).isEmpty && session.expire(Self.at(9_000_000)).isEmpty)
    }

    @Test(arguments: [
        (4100, 500), (4101, 500), (4199, 500), (4200, 0), (4201, 0), (4299, 0), (1000, 500), (1001, 500), (1006, 500),
        (1011, 500), (3000, 500), (nil, 500),
    ])
    func `any other end leads to a wait of the right length`(_ code: Int?, _ wait: Int64) throws {
        var session = try Self.live()
        #expect(session.closed(code, Self.at(1_000)) == [.drop, .timer(wait)])
        #expect(session.status == Self.waiting(1_000 + wait))
    }

    @Test func `a server that wants the client back at once gets it at once only the first time`() throws {
        var session = try Self.live()
        let ready = try Self.frame(["type": "ready", "heartbeat": 25_000])
        #expect(session.closed(4200, Self.at(0)) == [.drop, .timer(0)])
        _ = session.expire(Self.at(0))
        _ = session.received(ready, Self.at(10))
        #expect(session.closed(4200, Self.at(20)) == [.drop, .timer(1_000)])
        _ = session.expire(Self.at(1_000))
        _ = session.received(ready, Self.at(1_000))
        // After a session of thirty seconds earlier failures are forgotten.
        #expect(session.closed(4200, Self.at(31_000)) == [.drop, .timer(0)])
    }

    @Test func `another token is asked for until there is one, and none for a network that is gone`() throws {
        var session = SessionLife()
        #expect(session.attempt() == [.timer(20_000), .open(.first)])
        _ = session.closed(nil, Self.at(0, chance: 0))
        #expect(session.expire(Self.at(0)).last == .open(.first))
        session.renewed()
        _ = session.closed(1006, Self.at(0, chance: 0))
        #expect(session.expire(Self.at(0)).last == .open(nil))
        _ = session.received(try Self.frame(["type": "ready", "heartbeat": 25_000]), Self.at(0))
        _ = session.closed(4202, Self.at(0, chance: 0))
        #expect(session.expire(Self.at(0)).last == .open(.expired))
    }

    @Test func `a heartbeat that no server means neither overflows nor kills the session at once`() throws {
        for heartbeat: JSONValue in [.integer(.max), -5, "soon"] {
            var session = SessionLife()
            _ = session.attempt()
            let effects = session.received(
                try Self.frame(["type": "ready", "heartbeat": heartbeat]), Self.at(1_750_000_000_000))
            guard case .timer(let patience?) = try #require(effects.first) else { return #expect(Bool(false)) }
            #expect((10_000...200_000_000).contains(patience))
        }
    }
}
