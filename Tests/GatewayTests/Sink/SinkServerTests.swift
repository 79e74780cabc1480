import Foundation
import Inbox
import JSON
import Push
import Testing
import Transport

@testable import Gateway

/// Whole pushes as Belfry makes them, with the settings that the sink tells, over TLS.
@Suite(.mayNotHang)
struct SinkServerTests {
    @Test func `a push to APNs is accepted and shown`() async throws {
        let sink = try TestSink()
        #expect(try await sink.send(sink.apns(badge: 3)).status == 200)
        let line = try await sink.next()
        #expect(line.at(["provider"]) == "apns")
        #expect((line.at(["status"]), line.at(["device"])) == (200, "a1b2"))
        #expect((line.at(["title"]), line.at(["badge"])) == ("Hello", 3))
        let phone = try await sink.state().at(["phones"])?.array?.first
        #expect((phone?.at(["device"]), phone?.at(["badge"])) == ("a1b2", 3))
        #expect(phone?.at(["stacks"])?.array?.first?.at(["cards"])?.array?.first?.at(["title"]) == "Hello")
        await sink.stop()
    }

    @Test func `a service account gets an access token with which FCM takes pushes`() async throws {
        let sink = try TestSink()
        var (token, request) = try sink.tokenRequest()
        let answer = try await sink.send(request)
        let reply = PushReply(
            status: answer.status, headers: answer.headers.map { (name: $0.0, value: $0.1) }, body: answer.body)
        #expect(token.received(reply, at: TestSink.now, jitter: 0) == nil)
        guard case .use(let accessToken) = token.next(at: TestSink.now) else {
            Issue.record("no access token")
            return await sink.stop()
        }
        let push = try #require(try sink.fcm(accessToken: accessToken))
        #expect(try await sink.send(push).status == 200)
        let refused = try #require(try sink.fcm(accessToken: "ya29.other"))
        #expect(try await sink.send(refused).status == 401)
        let lines = [try await sink.next(), try await sink.next(), try await sink.next()]
        #expect(lines.map { $0.at(["provider"]) } == ["token", "fcm", "fcm"])
        #expect(lines.map { $0.at(["status"]) } == [200, 200, 401])
        #expect(lines[1].at(["title"]) == "Hello")
        await sink.stop()
    }

    @Test func `a push to OneSignal is accepted with the app's key only`() async throws {
        let sink = try TestSink()
        var push = try #require(sink.oneSignal())
        #expect(try await sink.send(push).status == 200)
        #expect(try await sink.next().at(["title"]) == "Hello")
        push.headers = push.headers.map { $0.name == "authorization" ? ($0.name, "Key os_v2_app_other") : $0 }
        let answer = try await sink.send(push)
        #expect([401, 403].contains(answer.status))
        #expect(try await sink.next().at(["title"]) == nil)
        await sink.stop()
    }

    @Test(arguments: [false, true])
    func `a subscription made by the sink takes pushes, which it decrypts, by HTTP/1.1 and HTTP/2`(
        isRestricted: Bool
    ) async throws {
        let sink = try TestSink()
        let key = try VAPIDKey(TextFile.read(sink.settings["VAPID_PRIVATE_KEY_PATH"] ?? "")).publicKey
        let subscription = try await sink.get(isRestricted ? "/webpush/new?key=\(key)" : "/webpush/new")
        let push = try #require(try sink.webPush("One", to: subscription.body))
        #expect(try await sink.send(push).status == 201)
        #expect(try await sink.next().at(["title"]) == "One")
        let again = try #require(try sink.webPush("Two", to: subscription.body))
        let answer = try await HTTP1Call(again, to: sink).answer()
        #expect(answer.hasPrefix("HTTP/1.1 201 "))
        #expect(try await sink.next().at(["title"]) == "Two")
        await sink.stop()
    }

    @Test func `a subscription of another server's key refuses ours`() async throws {
        let sink = try TestSink()
        let other = Base64URL.encode([4] + [UInt8](repeating: 1, count: 64))
        let subscription = try await sink.get("/webpush/new?key=\(other)")
        let push = try #require(try sink.webPush(to: subscription.body))
        #expect(try await sink.send(push).status == 403)
        #expect(try await sink.get("/webpush/new?key=AAAA").status == 400)
        await sink.stop()
    }

    @Test func `subscriptions and keys outlive the sink`() async throws {
        let folder = try TemporaryFolder()
        let kept = try SinkFolder(folder.path)
        let first = try TestSink { $0.folder = kept }
        let subscription = try await first.get("/webpush/new").body
        await first.stop()
        let port = try #require(UInt16(first.base.split(separator: ":").last ?? ""))
        let second = try TestSink {
            $0.folder = kept
            $0.listen = .tcp(host: "127.0.0.1", port: port)
        }
        #expect(first.settings == second.settings)
        let push = try #require(try second.webPush(to: subscription))
        #expect(try await second.send(push).status == 201)
        await second.stop()
    }

    @Test func `the page and its data come over HTTP/2 and HTTP/1.1, and other paths are not there`() async throws {
        let sink = try TestSink()
        for path in ["/", "/state.json", "/summary.json", "/script"] {
            #expect(try await sink.get(path).status == 200, "\(path)")
        }
        let page = try await sink.get("/")
        #expect(page.header("content-type") == "text/html; charset=utf-8")
        #expect(page.header("content-security-policy")?.hasPrefix("default-src 'none';") == true)
        #expect(try await sink.get("/other").status == 404)
        #expect(try await sink.call("DELETE", "/script").status == 404)
        let request = PushRequest(method: "GET", url: sink.base + "/", headers: [], body: [])
        let answer = try await HTTP1Call(request, to: sink).answer()
        #expect(answer.hasSuffix(String(decoding: page.body, as: UTF8.self)))
        await sink.stop()
    }

    @Test func `the summary proves how often each device showed each notification`() async throws {
        let sink = try TestSink()
        for (token, id) in [("0a", "x"), ("0a", "x"), ("0a", "y"), ("0b", "x")] {
            #expect(try await sink.send(sink.apns(to: token, id: id)).status == 200)
        }
        let summary = try JSONValue(parsing: sink.server.summary)
        #expect((summary.at(["pairs"]), summary.at(["shownAgain"])) == (3, 1))
        #expect((summary.at(["shown", "apns", "0a", "x"]), summary.at(["shown", "apns", "0a", "y"])) == (2, 1))
        #expect(summary.at(["shown", "apns", "0b", "x"]) == 1)
        await sink.stop()
    }

    @Test func `several shards share one script and one tally`() async throws {
        let sink = try TestSink(script: #"{"every": 2, "fault": "answer", "status": 503}"#) { $0.shards = 3 }
        var statuses: [Substring] = []
        // Each call is a connection of its own, and each connection goes to the next shard.
        for _ in 0..<4 {
            let push = try #require(sink.oneSignal())
            statuses.append(try await HTTP1Call(push, to: sink).answer().prefix(12).suffix(3))
        }
        #expect(statuses == ["200", "503", "200", "503"])
        #expect(try JSONValue(parsing: sink.server.summary).at(["requests"]) == 4)
        await sink.stop()
    }
}
