import Foundation
import Gateway
import Inbox
import JSON
import Push
import Testing
import Transport
import WireProtocol

/// The fallback, from an event to the sink: HTTP/2 over TLS, with tokens signed by a real key.
@Suite(.mayNotHang)
struct ServerPushTests {
    @Test func `a push goes out at once when nobody is there, with the unread count as its badge`() async throws {
        let phone = try Phone()
        let server = try await TestServer { phone.configure(&$0) }
        try await server.registerPhone(of: "sarah")
        for _ in 0..<2 { _ = try await server.publish(RoomsEvent.liked(to: "sarah")) }
        let pushes = [try await phone.next(), try await phone.next()]
        #expect(pushes.map { $0.at(["status"]) } == [200, 200])
        #expect(Set(pushes.compactMap { $0.at(["apns-collapse-id"])?.string }).count == 2)
        #expect(pushes.last?.at(["badge"]) == 2)
        #expect(pushes.last?.at(["data", "roomId"]) == "room-1")
        await server.stop()
        await phone.stop()
    }

    @Test func `notifications that an attentive session acknowledged are not pushed, and others are`() async throws {
        try await withGrace { server, phone, grace in
            try await server.registerPhone(of: "sarah")
            let session = try await server.session(of: "sarah")
            let start = ContinuousClock.now
            for _ in 0..<2 { try await server.see(session) }
            guard ContinuousClock.now - start < grace else { return false }
            session.send(.state(isActive: false), id: "2")
            _ = try await session.next("ok")
            _ = try await server.publish(RoomsEvent.liked(to: "sarah"))
            // An acknowledgement by somebody who does not look counts for nothing.
            session.send(.ack(seq: try await session.next("new").seq ?? 0))
            let push = try await phone.next()
            #expect(push.at(["badge"]) == 3)
            #expect(push.at(["apns-collapse-id"])?.string?.hasSuffix("-3") == true)
            return true
        }
    }

    @Test func `a device that registers while a session is open has its pushes cancelled, too`() async throws {
        try await withGrace { server, phone, grace in
            let session = try await server.session(of: "sarah")
            try await server.see(session)
            try await server.registerPhone(of: "sarah")
            let start = ContinuousClock.now
            try await server.see(session)
            guard ContinuousClock.now - start < grace else { return false }
            session.send(.state(isActive: false), id: "2")
            _ = try await session.next("ok")
            _ = try await server.publish(RoomsEvent.liked(to: "sarah"))
            #expect(try await phone.next().at(["apns-collapse-id"])?.string?.hasSuffix("-3") == true)
            return true
        }
    }

    @Test func `a read anywhere cancels the push`() async throws {
        try await withGrace { server, phone, grace in
            try await server.registerPhone(of: "sarah")
            let session = try await server.session(of: "sarah", isActive: false)
            let start = ContinuousClock.now
            _ = try await server.publish(RoomsEvent.liked(to: "sarah"))
            _ = try await session.next("new")
            #expect(try await server.call("PUT", "/api/notifications/read-all", as: "sarah").status == 200)
            guard ContinuousClock.now - start < grace else { return false }
            _ = try await server.publish(RoomsEvent.liked(to: "sarah"))
            // Due after the first one would have been: it comes alone.
            #expect(try await phone.next().at(["badge"]) == 1)
            return true
        }
    }

    @Test func `a device that the provider calls gone is forgotten`() async throws {
        let gone =
            #"{"times": 1, "fault": "answer", "status": 410, "reason": "Unregistered", "timestamp": 4102444800000}"#
        let phone = try Phone(script: gone)
        let server = try await TestServer { phone.configure(&$0) }
        try await server.registerPhone(of: "sarah")
        _ = try await server.publish(RoomsEvent.liked(to: "sarah"))
        #expect(try await phone.next().at(["status"]) == 410)
        // The phone tells of the request before the server has its answer, and stores it.
        while !(try await server.admin("GET", "/v1/users/sarah/devices").text.contains(#""devices":[]"#)) {}
        try await server.registerPhone(of: "pete")
        _ = try await server.publish(RoomsEvent.liked(by: "ann", to: "sarah"))
        _ = try await server.publish(RoomsEvent.liked(by: "ann", to: "pete"))
        let push = try await phone.next()
        #expect((push.at(["status"]), push.at(["badge"])) == (200, 1))
        await server.stop()
        await phone.stop()
    }

    @Test func `each device gets the push over its own service`() async throws {
        let phone = try Phone()
        let server = try await TestServer { phone.configure(&$0) }
        try await server.registerPhone(of: "sarah")
        for (id, provider, token) in [
            ("tablet", "fcm", "fcm-token"), ("watch", "onesignal", "6b2f3c1e-1111-4222-8333-444455556666"),
        ] {
            let answer = try await server.call(
                "PUT", "/api/devices/\(id)", as: "sarah",
                body: #"{"provider": "\#(provider)", "token": "\#(token)"}"#)
            #expect(answer.status == 200)
        }
        _ = try await server.publish(RoomsEvent.liked(to: "sarah"))
        var providers: [String] = []
        for _ in 0..<3 {
            let push = try await phone.next()
            #expect((push.at(["status"]), push.at(["badge"])) == (200, 1))
            providers.append(push.at(["provider"])?.string ?? "")
        }
        #expect(providers.sorted() == ["apns", "fcm", "onesignal"])
        await server.stop()
        await phone.stop()
    }

    @Test func `a push that a service puts off is sent again`() async throws {
        let phone = try Phone(
            script: #"{"times": 1, "provider": "apns", "fault": "answer", "status": 503, "retryAfter": 1}"#)
        let server = try await TestServer { phone.configure(&$0) }
        try await server.registerPhone(of: "sarah")
        _ = try await server.publish(RoomsEvent.liked(to: "sarah"))
        let pushes = [try await phone.next(), try await phone.next()]
        #expect(pushes.map { $0.at(["status"]) } == [503, 200])
        #expect(Set(pushes.map { $0.at(["apns-collapse-id"]) }).count == 1)
        let times = pushes.compactMap { $0.at(["ms"])?.int }
        #expect(times.count == 2 && times[1] - times[0] >= 1_000)
        await server.stop()
        await phone.stop()
    }

    @Test func `a service that puts pushes off for long holds up no other`() async throws {
        let phone = try Phone(
            script: #"{"provider": "apns", "fault": "answer", "status": 503, "retryAfter": 3600}"#)
        let server = try await TestServer { phone.configure(&$0) }
        try await server.registerPhone(of: "sarah")
        _ = try await server.publish(RoomsEvent.liked(to: "sarah"))
        #expect(try await phone.next().at(["status"]) == 503)
        _ = try await server.call(
            "PUT", "/api/devices/tablet", as: "sarah", body: #"{"provider": "fcm", "token": "fcm-token"}"#)
        _ = try await server.publish(RoomsEvent.liked(by: "ann", to: "sarah"))
        var push = try await phone.next()
        // The second notification's push over the first service may have left before its answer came.
        if push.at(["provider"]) == "apns" { push = try await phone.next() }
        #expect((push.at(["provider"]), push.at(["status"])) == ("fcm", 200))
        await server.stop()
        await phone.stop()
    }

    /// Runs `body` with a server whose pushes wait for a while.
    ///
    /// - Parameter body: gets that time, and returns false where it has passed before all was done that cancels pushes:
    ///   from that, nothing is learnt. Then a machine that is so slow gets more time.
    private func withGrace(_ body: (TestServer, Phone, Duration) async throws -> Bool) async throws {
        for seconds in [5, 20, 80, 320] {
            let phone = try Phone()
            let server = try await TestServer {
                phone.configure(&$0)
                $0.push.grace = .seconds(seconds)
            }
            let isOver = try await body(server, phone, .seconds(seconds))
            await server.stop()
            await phone.stop()
            if isOver { return }
        }
        Issue.record("the machine is too slow for any time")
    }
}

extension TestServer {
    /// Publishes a notification for sarah, and has her session acknowledge it.
    fileprivate func see(_ session: TestSession) async throws {
        _ = try await publish(RoomsEvent.liked(to: "sarah"))
        session.send(.ack(seq: try await session.next("new").seq ?? 0), id: "1")
        _ = try await session.next("ok")
    }

    func registerPhone(of user: String) async throws {
        let token = Array(user.utf8).map { String($0, radix: 16) }.joined()
        let answer = try await call(
            "POST", "/api/notifications/register-device", as: user,
            body: #"{"device_id": "phone of \#(user)", "apns_token": "\#(token)"}"#)
        #expect(String(decoding: answer.body, as: UTF8.self) == #"{"status":"ok"}"#)
    }
}

/// A phone whose screen the test reads: the sink, with keys of its own.
private final class Phone: Sendable {
    private let folder = NSTemporaryDirectory() + "belfry-phone-" + UUID().uuidString
    private let sink: SinkServer
    private let lines: AsyncStream<[UInt8]>

    init(script: String = "") throws {
        let (lines, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        self.lines = lines
        var options = SinkOptions(listen: .tcp(host: "127.0.0.1", port: 0), folder: try SinkFolder(folder))
        options.script = try SinkScript(parsing: script)
        sink = try SinkServer(
            options, now: { Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000)) },
            outputs: SinkOutputs(print: { continuation.yield($0) }))
    }

    func configure(_ settings: inout Settings) {
        let variables = Dictionary(sink.variables.map { ($0.name, $0.value) }) { first, _ in first }
        settings.push.apns.keyID = variables["APNS_KEY_ID"]
        settings.push.apns.teamID = variables["APNS_TEAM_ID"]
        settings.push.apns.keyPath = variables["APNS_KEY_PATH"]
        settings.push.apns.bundleID = variables["APNS_BUNDLE_ID"]
        settings.push.apns.endpoint = variables["APNS_ENDPOINT"]
        settings.push.apns.caFile = variables["APNS_CA_FILE"]
        settings.push.fcm.serviceAccountPath = variables["FCM_SERVICE_ACCOUNT_PATH"]
        settings.push.fcm.endpoint = variables["FCM_ENDPOINT"]
        settings.push.fcm.caFile = variables["FCM_CA_FILE"]
        settings.push.oneSignal.appID = variables["ONESIGNAL_APP_ID"]
        settings.push.oneSignal.apiKey = variables["ONESIGNAL_API_KEY"].map { Secret($0) }
        settings.push.oneSignal.endpoint = variables["ONESIGNAL_ENDPOINT"]
        settings.push.oneSignal.caFile = variables["ONESIGNAL_CA_FILE"]
    }

    /// The next push that the sink got, as it prints it; requests for access tokens are passed over.
    func next() async throws -> JSONValue {
        for await line in lines {
            let record = try JSONValue(parsing: line)
            if record.at(["device"]) != nil { return record }
        }
        throw ServerError("the sink has ended")
    }

    func stop() async {
        await withCheckedContinuation { continuation in sink.stop { continuation.resume() } }
        try? FileManager.default.removeItem(atPath: folder)  // what stays behind is the system's to clear
    }
}
