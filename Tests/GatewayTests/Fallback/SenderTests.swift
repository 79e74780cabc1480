import Crypto
import Inbox
import JSON
import Logging
import Push
import Support
import Synchronization
import Testing
import Transport

@testable import Gateway

/// The senders between a network and files of the test's.
@Suite(.mayNotHang) struct SenderTests {
    private let files: SenderFiles
    private let http = ScriptedHTTP()
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    init() throws { files = try SenderFiles() }

    private func client(_ http: ScriptedHTTP) -> ProviderClient {
        ProviderClient(name: "test", http: http, logger: logger)
    }

    private func device(_ provider: Device.Provider) -> Device {
        Device(id: "phone", provider: provider, token: "a1b2", registeredAt: .noon)
    }

    private func message(content: Bool = true) -> PushMessage {
        PushMessage(
            content: content ? PushContent(title: "t", body: "b", group: nil, urgency: .normal, data: [:]) : nil,
            badge: 1, notification: nil, collapseID: "c", position: .init(epoch: "e", seq: 1),
            expiry: .noon + .seconds(3_600))
    }

    /// Sends so many pushes, and returns their verdicts as they come.
    private func send(
        _ sender: any PushSender, _ provider: Device.Provider, times count: Int = 1
    ) -> AsyncStream<Verdict> {
        let (verdicts, report) = AsyncStream.makeStream(of: Verdict.self)
        for _ in 0..<count {
            sender.send(message(), to: device(provider), at: .noon) { report.yield($0) }
        }
        return verdicts
    }

    /// One for a device in each of the environments; their tokens are a0, a1 and so on.
    private func jobs(_ provider: Device.Provider, _ environments: [Device.Environment?]) throws -> [PushJob] {
        let user = try #require(UserID("ada"))
        return environments.enumerated().map { index, environment in
            var device = device(provider)
            (device.token, device.environment) = ("a\(index)", environment)
            return PushJob(
                PushJob.Part(id: Int64(index), notification: nil), to: PushTarget(user: user, device: device),
                message: message(), attempt: PushAttempt(expiry: .noon + .seconds(3_600)))
        }
    }

    private func header(_ name: String, of call: ScriptedHTTP.Call) -> String? {
        call.request.headers.first { $0.0 == name }?.1
    }

    // MARK: FCM

    private func fcm(tokens: ScriptedHTTP, now: Timestamp = .noon) async throws -> FCMSender {
        try await FCMSender(
            accountPath: files.serviceAccount(), endpoint: nil, client: client(http), tokenClient: client(tokens),
            logger: logger, now: { now })
    }

    private static let grant = #"{"access_token": "ya29", "expires_in": 3599, "token_type": "Bearer"}"#

    @Test func `pushes wait while one access token is fetched for all of them`() async throws {
        let tokens = ScriptedHTTP()
        let sender = try await fcm(tokens: tokens)
        var verdicts = send(sender, .fcm, times: 3).makeAsyncIterator()
        var fetches = tokens.calls.makeAsyncIterator()
        let fetch = try #require(await fetches.next())
        #expect(fetch.request.url == "https://token.example.com/token")
        ScriptedHTTP.respond(to: fetch, 200, Self.grant)
        var calls = http.calls.makeAsyncIterator()
        for _ in 0..<3 {
            let call = try #require(await calls.next())
            #expect(call.request.url == "https://fcm.googleapis.com/v1/projects/rooms-1/messages:send")
            #expect(header("authorization", of: call) == "Bearer ya29")
            ScriptedHTTP.respond(to: call, 200, #"{"name": "projects/rooms-1/messages/1"}"#)
        }
        for _ in 0..<3 { #expect(await verdicts.next() == .accepted) }
        // The token serves the next one as well: nothing is fetched between this push and its request.
        _ = send(sender, .fcm)
        let call = try #require(await calls.next())
        #expect(header("authorization", of: call) == "Bearer ya29")
    }

    @Test func `without an access token the provider is busy, and is not asked again at once`() async throws {
        let tokens = ScriptedHTTP()
        let sender = try await fcm(tokens: tokens)
        var verdicts = send(sender, .fcm, times: 2).makeAsyncIterator()
        var fetches = tokens.calls.makeAsyncIterator()
        ScriptedHTTP.respond(to: try #require(await fetches.next()), 500)
        for _ in 0..<2 { #expect(isBusy(await verdicts.next())) }
        var later = send(sender, .fcm).makeAsyncIterator()
        #expect(isBusy(await later.next()))
    }

    @Test func `why there is no access token is told with each push that needs one`() async throws {
        let tokens = ScriptedHTTP()
        let sender = try await fcm(tokens: tokens)
        var verdicts = send(sender, .fcm, times: 2).makeAsyncIterator()
        var fetches = tokens.calls.makeAsyncIterator()
        let error = HTTPClientError.transport(code: 60, message: "cannot connect: certificate not trusted")
        try #require(await fetches.next()).answer(.failure(error))
        for _ in 0..<2 {
            guard case .busy(.some, .provider, let cause?) = await verdicts.next() else {
                Issue.record("no reason")
                continue
            }
            #expect(cause.reason == "Google's token service did not answer: cannot connect: certificate not trusted")
            #expect(cause.obstacle == .tokenConnection)
        }
    }

    @Test func `an account that Google refuses is not told as a failing connection`() async throws {
        let tokens = ScriptedHTTP()
        let sender = try await fcm(tokens: tokens)
        var verdicts = send(sender, .fcm).makeAsyncIterator()
        var fetches = tokens.calls.makeAsyncIterator()
        ScriptedHTTP.respond(to: try #require(await fetches.next()), 400, #"{"error": "invalid_grant"}"#)
        let text = try #require(await verdicts.next()).explanation(from: .fcm)
        #expect(text.hasPrefix("FCM could not be asked: invalid_grant"))
        #expect(text.hasSuffix("Look at FCM_SERVICE_ACCOUNT_PATH."))
    }

    private func isBusy(_ verdict: Verdict?) -> Bool {
        guard case .busy(let delay?, .provider, _) = verdict else { return false }
        return delay >= .seconds(10)
    }

    @Test func `a token that FCM does not take is replaced, and the push is sent once more at once`() async throws {
        let tokens = ScriptedHTTP()
        let sender = try await fcm(tokens: tokens)
        var fetches = tokens.calls.makeAsyncIterator()
        var calls = http.calls.makeAsyncIterator()
        var verdicts = send(sender, .fcm).makeAsyncIterator()
        ScriptedHTTP.respond(to: try #require(await fetches.next()), 200, Self.grant)
        ScriptedHTTP.respond(to: try #require(await calls.next()), 401)
        ScriptedHTTP.respond(
            to: try #require(await fetches.next()), 200, Self.grant.replacing("ya29", with: "ya30"))
        let again = try #require(await calls.next())
        #expect(header("authorization", of: again) == "Bearer ya30")
        // Nor that one: not the token's age is at fault, and all pushes have to wait.
        ScriptedHTTP.respond(to: again, 401)
        #expect(await verdicts.next() == .keyRefused("HTTP 401"))
    }

    // MARK: APNs

    private func apns(_ path: String) async throws -> APNsSender {
        try await APNsSender(
            settings: APNsSettings(bundleID: "com.example.rooms", isSandbox: true), keyID: "K", teamID: "T",
            keyPath: path, client: client(http), logger: logger)
    }

    @Test func `one provider token serves until Apple calls it expired, and then the next one, at once`() async throws {
        let sender = try await apns(files.ellipticKey())
        var verdicts = send(sender, .apns, times: 2).makeAsyncIterator()
        var calls = http.calls.makeAsyncIterator()
        let (first, second) = (try #require(await calls.next()), try #require(await calls.next()))
        let bearer = header("authorization", of: first)
        #expect(bearer == header("authorization", of: second))
        ScriptedHTTP.respond(to: first, 403, #"{"reason": "ExpiredProviderToken"}"#)
        let again = try #require(await calls.next())
        let renewed = header("authorization", of: again)
        #expect(renewed != bearer)
        ScriptedHTTP.respond(to: second, 403, #"{"reason": "ExpiredProviderToken"}"#)
        let other = try #require(await calls.next())
        #expect(header("authorization", of: other) == renewed)
        // Apple takes that one no more than the first: all pushes have to wait.
        ScriptedHTTP.respond(to: again, 403, #"{"reason": "ExpiredProviderToken"}"#)
        #expect(await verdicts.next() == .keyRefused("ExpiredProviderToken"))
        ScriptedHTTP.respond(to: other, 200)
        #expect(await verdicts.next() == .accepted)
    }

    @Test func `a key that cannot sign is not told as a failing connection`() {
        #expect(
            APNsSender.cannotSign.explanation(from: .apns)
                == "APNs could not be asked: the key of APNS_KEY_PATH cannot sign. All its pushes wait and are tried "
                + "again. Look at APNS_KEY_PATH.")
        let verdict = Verdict.noAnswer(GoogleAccessTokenError.unsigned.noAnswer)
        #expect(verdict.explanation(from: .fcm).hasSuffix("Look at FCM_SERVICE_ACCOUNT_PATH."))
    }

    @Test func `jobs of both environments leave together, and each verdict is its job's`() async throws {
        let sender = try await apns(files.ellipticKey())
        let environments: [Device.Environment?] = [.production, .production, .sandbox, nil, .production]
        let jobs = try jobs(.apns, environments)
        typealias Told = (place: Int, verdict: Verdict, began: ContinuousClock.Instant)
        let (verdicts, report) = AsyncStream.makeStream(of: Told.self)
        sender.send(jobs, at: .noon) { report.yield(($0, $1, $2)) }
        var calls = http.calls.makeAsyncIterator()
        for (index, environment) in environments.enumerated() {
            let call = try #require(await calls.next())
            let host = environment == .production ? "api.push.apple.com" : "api.sandbox.push.apple.com"
            #expect(call.request.url == "https://\(host)/3/device/a\(index)")
            #expect(call.request.body == APNsPayload(jobs[index].message).bytes)
            ScriptedHTTP.respond(
                to: call, index == 1 ? 410 : index == 3 ? 403 : 200, #"{"reason": "ExpiredProviderToken"}"#)
        }
        // Only that one is sent once more.
        let again = try #require(await calls.next())
        #expect(again.request.url == "https://api.sandbox.push.apple.com/3/device/a3")
        ScriptedHTTP.respond(to: again, 200)
        var told: [Told] = []
        for await one in verdicts.prefix(jobs.count) { told.append(one) }
        told.sort { $0.place < $1.place }
        #expect(told.map(\.place) == Array(0..<5))
        #expect(told.map(\.verdict) == [.accepted, .deviceGone(since: nil), .accepted, .accepted, .accepted])
        // Those of one environment began together, once they were written, and the others after them.
        let began = told.map(\.began)
        #expect(began[0] == began[1] && began[2] == began[3])
        #expect(began[1] < began[2] && began[3] < began[4])
    }

    @Test(arguments: ["", "/", "/apns", "/push/apns/"])
    func `a proxy's path comes before Apple's, for one push as for many`(basePath: String) async throws {
        let server = try PathServer()
        var http2 = HTTP2ClientSettings()
        (http2.connectTimeout, http2.pingTimeout) = (.patience, .patience)
        http2.caFile = server.certificateFile
        let client = ProviderClient(name: "test", http: try HTTP2Client(http2), logger: logger)
        let settings = APNsSettings(
            bundleID: "com.example.rooms", isSandbox: true, endpoint: server.url + basePath)
        let sender = try await APNsSender(
            settings: settings, keyID: "K", teamID: "T", keyPath: files.ellipticKey(), client: client, logger: logger)
        let (verdicts, report) = AsyncStream.makeStream(of: Verdict.self)
        sender.send(message(), to: device(.apns), at: .noon) { report.yield($0) }
        #expect(await verdicts.first { _ in true } == .accepted)
        sender.send(try jobs(.apns, [nil, nil]), at: .noon) { _, verdict, _ in report.yield(verdict) }
        for await verdict in verdicts.prefix(2) { #expect(verdict == .accepted) }
        var paths: [String] = []
        for await path in server.paths.prefix(3) { paths.append(path) }
        let base = basePath.hasSuffix("/") ? String(basePath.dropLast()) : basePath
        #expect(paths == ["a1b2", "a0", "a1"].map { "\(base)/3/device/\($0)" })
        await withCheckedContinuation { continuation in sender.close { continuation.resume() } }
        await server.stop()
    }

    @Test func `reading the same key again keeps the token, another key replaces it`() async throws {
        let path = try files.ellipticKey()
        let sender = try await apns(path)
        var calls = http.calls.makeAsyncIterator()
        _ = send(sender, .apns)
        let bearer = header("authorization", of: try #require(await calls.next()))
        try await sender.readKey()
        _ = send(sender, .apns)
        #expect(header("authorization", of: try #require(await calls.next())) == bearer)
        _ = try files.ellipticKey()
        try await sender.readKey()
        _ = send(sender, .apns)
        #expect(header("authorization", of: try #require(await calls.next())) != bearer)
        _ = try files.write("no key", to: "key.p8")
        await #expect(throws: ServerError.self) { try await sender.readKey() }
        _ = send(sender, .apns)
        #expect(header("authorization", of: try #require(await calls.next())) != nil)
    }

    // MARK: All

    @Test func `jobs that are sent one by one began one by one`() async throws {
        let sender = OneSignalSender(
            settings: OneSignalSettings(appID: "app", apiKey: "key"), client: client(http))
        let (times, report) = AsyncStream.makeStream(of: (Int, ContinuousClock.Instant).self)
        sender.send(try jobs(.onesignal, [nil, nil, nil]), at: .noon) { place, _, began in report.yield((place, began))
        }
        var calls = http.calls.makeAsyncIterator()
        for _ in 0..<3 { ScriptedHTTP.respond(to: try #require(await calls.next()), 200) }
        var began: [Int: ContinuousClock.Instant] = [:]
        for await (place, time) in times.prefix(3) { began[place] = time }
        let (first, second, third) = (
            try #require(began[0]), try #require(began[1]), try #require(began[2])
        )
        #expect(first < second && second < third)
    }

    @Test func `no answer is the provider's fault, whatever the reason`() async throws {
        let sender = OneSignalSender(
            settings: OneSignalSettings(appID: "app", apiKey: "key"), client: client(http))
        var calls = http.calls.makeAsyncIterator()
        for error in [HTTPClientError.timedOut, .overloaded, .closed, .transport(code: 7, message: "refused")] {
            var verdicts = send(sender, .onesignal).makeAsyncIterator()
            try #require(await calls.next()).answer(.failure(error))
            guard case .busy(nil, .provider, .some) = await verdicts.next() else {
                Issue.record("\(error) is not the provider's")
                continue
            }
        }
    }

    @Test(arguments: ProviderList.standard)
    func `the obstacle to a push is told with the verdict`(_ provider: Device.Provider) async throws {
        let sender = try await sender(of: provider)
        let (verdicts, report) = AsyncStream.makeStream(of: Verdict.self)
        var device = device(provider)
        if provider == .webpush {
            let key = Array(P256.KeyAgreement.PrivateKey().publicKey.x963Representation)
            device = Device(
                id: "browser", provider: .webpush, token: "https://push.example.com/1",
                keys: WebPushKeys(p256dh: key, auth: Array(repeating: 7, count: 16)), platform: "web",
                registeredAt: .noon)
        }
        let job = PushJob(
            PushJob.Part(id: 1, notification: nil),
            to: PushTarget(user: try #require(UserID("ada")), device: device),
            message: message(), attempt: PushAttempt(expiry: .noon + .seconds(3_600)))
        sender.send(message(), to: device, at: .noon) { report.yield($0) }
        sender.send([job], at: .noon) { _, verdict, _ in report.yield(verdict) }
        var (calls, told) = (http.calls.makeAsyncIterator(), verdicts.makeAsyncIterator())
        let scope = provider == .webpush ? Verdict.Scope.device : .provider
        let reason = "cannot connect: Connection refused"
        for _ in 0..<2 { try #require(await calls.next()).answer(.failure(.transport(code: 0, message: reason))) }
        for _ in 0..<2 { #expect(await told.next() == .noAnswer(NoAnswer(reason: reason), scope: scope)) }
        sender.send(message(), to: device, at: .noon) { report.yield($0) }
        try #require(await calls.next()).answer(.failure(.timedOut))
        #expect(await told.next() == .noAnswer(NoAnswer(reason: "no answer within 20 s"), scope: scope))
    }

    private func sender(of provider: Device.Provider) async throws -> any PushSender {
        switch provider {
        case .apns: return try await apns(files.ellipticKey())
        case .fcm:
            let tokens = ScriptedHTTP()
            let sender = try await fcm(tokens: tokens)
            _ = send(sender, .fcm)
            var (calls, fetches) = (http.calls.makeAsyncIterator(), tokens.calls.makeAsyncIterator())
            ScriptedHTTP.respond(to: try #require(await fetches.next()), 200, Self.grant)
            _ = await calls.next()
            return sender
        case .onesignal:
            return OneSignalSender(settings: OneSignalSettings(appID: "app", apiKey: "key"), client: client(http))
        default:
            return try WebPushSender(
                settings: WebPushSettings(hosts: ["push.example.com"]), keyPath: files.ellipticKey(),
                subject: "mailto:ops@example.com", client: client(http))
        }
    }

    @Test func `a push that is too large for a browser's service is cut and sent once more`() async throws {
        let sender = try WebPushSender(
            settings: WebPushSettings(hosts: ["push.example.com"]), keyPath: files.ellipticKey(),
            subject: "mailto:ops@example.com", client: client(http))
        let key = Array(P256.KeyAgreement.PrivateKey().publicKey.x963Representation)
        let device = Device(
            id: "browser", provider: .webpush, token: "https://push.example.com/1",
            keys: WebPushKeys(p256dh: key, auth: Array(repeating: 7, count: 16)), platform: "web", registeredAt: .noon)
        var long = message()
        long.content = PushContent(
            title: "t", body: String(repeating: "b", count: 5_000), group: nil, urgency: .normal, data: [:])
        var calls = http.calls.makeAsyncIterator()
        for last in [201, 413] {
            let (verdicts, report) = AsyncStream.makeStream(of: Verdict.self)
            sender.send(long, to: device, at: .noon) { report.yield($0) }
            let first = try #require(await calls.next())
            #expect(first.request.body.count > 3_900)
            ScriptedHTTP.respond(to: first, 413, #"{"errno": 104, "message": "limited to 2900 bytes"}"#)
            let again = try #require(await calls.next())
            #expect((2_700...2_900).contains(again.request.body.count))
            ScriptedHTTP.respond(to: again, last)
            // No third time.
            #expect(await verdicts.first { _ in true } == (last == 201 ? .accepted : .refused(reason: "HTTP 413")))
        }
    }

    @Test func `a subscription whose time is over is gone, and its service is not asked`() async throws {
        let sender = try WebPushSender(
            settings: WebPushSettings(hosts: ["push.example.com"]), keyPath: files.ellipticKey(),
            subject: "mailto:ops@example.com", client: client(http))
        let key = Array(P256.KeyAgreement.PrivateKey().publicKey.x963Representation)
        var device = Device(
            id: "browser", provider: .webpush, token: "https://push.example.com/1",
            keys: WebPushKeys(p256dh: key, auth: Array(repeating: 7, count: 16)), platform: "web", registeredAt: .noon)
        var calls = http.calls.makeAsyncIterator()
        for (end, expected) in [(0, Verdict.deviceGone(since: nil)), (1, .accepted)] {
            device.expiresAt = .noon + .milliseconds(end)
            let (verdicts, report) = AsyncStream.makeStream(of: Verdict.self)
            sender.send(message(), to: device, at: .noon) { report.yield($0) }
            if expected == .accepted { ScriptedHTTP.respond(to: try #require(await calls.next()), 201) }
            #expect(await verdicts.first { _ in true } == expected)
        }
    }

    @Test func `a push that a browser could not show is accepted without being sent`() async throws {
        let sender = try WebPushSender(
            settings: WebPushSettings(hosts: ["push.example.com"]), keyPath: files.ellipticKey(),
            subject: "mailto:ops@example.com", client: client(http))
        let device = Device(
            id: "browser", provider: .webpush, token: "https://push.example.com/1", platform: "web",
            registeredAt: .noon)
        let (verdicts, report) = AsyncStream.makeStream(of: Verdict.self)
        sender.send(message(content: false), to: device, at: .noon) { report.yield($0) }
        #expect(await verdicts.first { _ in true } == .accepted)
    }

    @Test(arguments: [
        ("", "push.apns.keyPath"),
        ("-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----\n", "push.apns.keyPath"),
    ])
    func `a file that holds no key is told with its setting and its path`(_ text: String, _ setting: String)
        async throws
    {
        let path = try files.write(text, to: "key.p8")
        let error = await #expect(throws: ServerError.self) { _ = try await apns(path) }
        #expect(error?.description.hasPrefix("\(setting): \(path): expected") == true)
        let account = try files.write(text, to: "account.json")
        let accountError = await #expect(throws: ServerError.self) { _ = try await PushKeyFile.serviceAccount(account) }
        #expect(accountError?.description.hasPrefix("push.fcm.serviceAccountPath: \(account): ") == true)
        let vapidError = #expect(throws: ServerError.self) { _ = try PushKeyFile.vapid(path) }
        #expect(vapidError?.description.hasPrefix("push.webPush.privateKeyPath: \(path): expected") == true)
    }

    @Test func `a file that is not there is told with its setting`() async throws {
        let error = await #expect(throws: ServerError.self) { _ = try await apns("\(files.folder)/missing.p8") }
        #expect(error?.description.contains("push.apns.keyPath: cannot open") == true)
    }
}
