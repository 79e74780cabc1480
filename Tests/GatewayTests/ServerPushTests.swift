import Foundation
import Gateway
import Inbox
import JSON
import JWTKit
import Push
import Testing
import Transport
import WireProtocol

/// The fallback, from an event to the sink: HTTP/2 over TLS, with tokens signed by a real key.
@Suite(.timeLimit(.minutes(1)))
struct ServerPushTests {
    @Test func `a push goes out at once when nobody is there, with the unread count as its badge`() async throws {
        let phone = try await Phone()
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

    @Test func `what an attentive session acknowledged is not pushed; what nobody acknowledged is`() async throws {
        let phone = try await Phone()
        let server = try await TestServer {
            phone.configure(&$0)
            $0.push.grace = .seconds(2)
        }
        try await server.registerPhone(of: "sarah")
        let session = try await server.session(of: "sarah")
        _ = try await server.publish(RoomsEvent.liked(to: "sarah"))
        session.send(.ack(seq: try await session.next("new").seq ?? 0), id: "1")
        _ = try await session.next("ok")
        session.send(.state(isActive: false), id: "2")
        _ = try await session.next("ok")
        _ = try await server.publish(RoomsEvent.liked(to: "sarah"))
        // An acknowledgement by somebody who does not look counts for nothing.
        session.send(.ack(seq: try await session.next("new").seq ?? 0))
        let push = try await phone.next()
        #expect(push.at(["badge"]) == 2)
        #expect(push.at(["apns-collapse-id"])?.string?.hasSuffix("-2") == true)
        await server.stop()
        await phone.stop()
    }

    @Test func `a read anywhere cancels the push`() async throws {
        let phone = try await Phone()
        let server = try await TestServer {
            phone.configure(&$0)
            $0.push.grace = .seconds(2)
        }
        try await server.registerPhone(of: "sarah")
        let session = try await server.session(of: "sarah", isActive: false)
        _ = try await server.publish(RoomsEvent.liked(to: "sarah"))
        _ = try await session.next("new")
        #expect(try await server.call("PUT", "/api/notifications/read-all", as: "sarah").status == 200)
        _ = try await server.publish(RoomsEvent.liked(to: "sarah"))
        // Due after the first one would have been: it comes alone.
        #expect(try await phone.next().at(["badge"]) == 1)
        await server.stop()
        await phone.stop()
    }

    @Test func `a device that the provider calls gone is forgotten`() async throws {
        let gone =
            #"{"times": 1, "fault": "answer", "status": 410, "reason": "Unregistered", "timestamp": 4102444800000}"#
        let phone = try await Phone(script: gone)
        let server = try await TestServer { phone.configure(&$0) }
        try await server.registerPhone(of: "sarah")
        _ = try await server.publish(RoomsEvent.liked(to: "sarah"))
        #expect(try await phone.next().at(["status"]) == 410)
        try await server.registerPhone(of: "pete")
        _ = try await server.publish(RoomsEvent.liked(by: "ann", to: "sarah"))
        _ = try await server.publish(RoomsEvent.liked(by: "ann", to: "pete"))
        let push = try await phone.next()
        #expect((push.at(["status"]), push.at(["badge"])) == (200, 1))
        await server.stop()
        await phone.stop()
    }
}

extension TestServer {
    func registerPhone(of user: String) async throws {
        let token = Array(user.utf8).map { String($0, radix: 16) }.joined()
        let answer = try await call(
            "POST", "/api/notifications/register-device", as: user,
            body: #"{"device_id": "phone of \#(user)", "apns_token": "\#(token)"}"#)
        #expect(String(decoding: answer.body, as: UTF8.self) == #"{"status":"ok"}"#)
    }
}

/// A phone whose screen the test reads: the sink, with a certificate and a signing key of its own.
private final class Phone: Sendable {
    private let folder = NSTemporaryDirectory() + "belfry-phone-" + UUID().uuidString
    private let sink: SinkServer
    private let lines: AsyncStream<[UInt8]>

    init(script: String = "") async throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let (certificate, key) = ("\(folder)/certificate.pem", "\(folder)/key.pem")
        try SelfSignedCertificate.write(certificateFile: certificate, keyFile: key)
        try ES256PrivateKey().pemRepresentation.write(toFile: "\(folder)/apns.p8", atomically: true, encoding: .utf8)
        let (lines, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        self.lines = lines
        sink = try SinkServer(
            listen: .tcp(host: "127.0.0.1", port: 0),
            tls: TLSContext(certificateFile: certificate, keyFile: key, applicationProtocols: ["h2"]),
            script: SinkScript(parsing: script),
            now: { Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000)) },
            print: { continuation.yield($0) })
    }

    func configure(_ settings: inout Settings) {
        settings.push.apns.keyID = "KEY"
        settings.push.apns.teamID = "TEAM"
        settings.push.apns.keyPath = "\(folder)/apns.p8"
        settings.push.apns.bundleID = "com.example.rooms"
        settings.push.apns.endpoint = "https://\(sink.address)"
        settings.push.apns.caFile = "\(folder)/certificate.pem"
    }

    /// The next request that the sink got, as it prints it.
    func next() async throws -> JSONValue {
        for await line in lines { return try JSONValue(parsing: line) }
        throw ServerError("the sink has ended")
    }

    func stop() async {
        await withCheckedContinuation { continuation in sink.stop { continuation.resume() } }
        try? FileManager.default.removeItem(atPath: folder)  // what stays behind is the system's to clear
    }
}
