import CryptoExtras
import Foundation
import Inbox
import JSON
import Push
import Support
import Transport

@testable import Gateway

/// A sink on a port of its own, and a sender that has the settings it tells.
final class TestSink: Sendable {
    let server: SinkServer
    let settings: [String: String]
    private let folder = NSTemporaryDirectory() + "belfry-sink-" + UUID().uuidString
    private let lines: AsyncStream<[UInt8]>
    private let client: HTTP2Client

    init(script: String = "", _ change: (inout SinkOptions) -> Void = { _ in }) throws {
        let (lines, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        self.lines = lines
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Self.rsaKey?.write(toFile: folder + "/fcm-key.pem", atomically: true, encoding: .utf8)
        var options = SinkOptions(listen: .tcp(host: "127.0.0.1", port: 0), folder: try SinkFolder(folder))
        options.script = try SinkScript(parsing: script)
        options.keepsShown = true
        change(&options)
        server = try SinkServer(options, now: { Self.now }, outputs: SinkOutputs(print: { continuation.yield($0) }))
        settings = Dictionary(server.variables.map { ($0.name, $0.value) }) { first, _ in first }
        var http2 = HTTP2ClientSettings()
        http2.caFile = settings["APNS_CA_FILE"]
        http2.connectTimeout = .patience
        http2.pingTimeout = .patience
        client = try HTTP2Client(http2)
    }

    /// Made once: finding its primes takes a second.
    private static let rsaKey = try? _RSA.Signing.PrivateKey(keySize: .bits2048).pkcs8PEMRepresentation

    /// The moment at which all of a test happens.
    static let now = Timestamp.noon
    private var now: Timestamp { Self.now }

    func stop() async {
        await withCheckedContinuation { continuation in client.close { continuation.resume() } }
        await withCheckedContinuation { continuation in server.stop { continuation.resume() } }
        try? FileManager.default.removeItem(atPath: folder)  // what stays behind is the system's to clear
    }

    // MARK: Received pushes and shown notifications

    struct Ended: Error {}

    /// The next request, as the sink prints it.
    func next() async throws -> JSONValue {
        for await line in lines { return try JSONValue(parsing: line) }
        throw Ended()
    }

    func state() async throws -> JSONValue { try JSONValue(parsing: try await get("/state.json").body) }

    func get(_ path: String) async throws -> HTTPClientResponse { try await call("GET", path) }

    func call(_ method: String, _ path: String, body: String = "") async throws -> HTTPClientResponse {
        try await send(PushRequest(method: method, url: base + path, headers: [], body: Array(body.utf8)))
    }

    // MARK: Sending

    var base: String { settings["APNS_ENDPOINT"] ?? "" }

    func send(_ request: PushRequest, within timeout: Duration = .patience) async throws -> HTTPClientResponse {
        let call = HTTPClientRequest(
            method: request.method, url: request.url, headers: request.headers.map { ($0.name, $0.value) },
            body: request.body, timeout: timeout)
        return try await withCheckedThrowingContinuation { continuation in
            client.send(call) { continuation.resume(with: $0) }
        }
    }

    func apns(
        _ title: String = "Hello", to device: String = "a1b2", id: String = "x", badge: Int64 = 1
    ) throws -> PushRequest {
        var token = APNsToken(keyID: settings["APNS_KEY_ID"] ?? "", teamID: settings["APNS_TEAM_ID"] ?? "")
        guard case .sign(let draft) = token.next(at: now) else { throw Ended() }
        let key = try P256.Signing.PrivateKey(pemRepresentation: TextFile.read(settings["APNS_KEY_PATH"] ?? ""))
        let bearer = token.install(
            draft, signature: Array(try key.signature(for: draft.signingInput).rawRepresentation))
        return PushRequest(
            apns: message(title, id: id, badge: badge), to: self.device(.apns, device),
            settings: APNsSettings(bundleID: settings["APNS_BUNDLE_ID"] ?? "", isSandbox: false, endpoint: base),
            authorization: PushRequest.authorization(apns: bearer))
    }

    /// Asks the sink for a token as Google's clients do.
    func tokenRequest() throws -> (token: GoogleAccessToken, request: PushRequest) {
        let account = try ServiceAccount(parsing: TextFile.read(settings["FCM_SERVICE_ACCOUNT_PATH"] ?? ""))
        var token = GoogleAccessToken(account: account)
        guard case .fetch(let draft, _) = token.next(at: now) else { throw Ended() }
        let key = try _RSA.Signing.PrivateKey(pemRepresentation: account.privateKey)
        let signature = try key.signature(for: draft.signingInput, padding: .insecurePKCS1v1_5)
        return (token, token.request(draft, signature: Array(signature.rawRepresentation)))
    }

    func fcm(_ title: String = "Hello", to token: String = "fcm-1", accessToken: String) throws -> PushRequest? {
        PushRequest(
            fcm: message(title), to: device(.fcm, token),
            settings: FCMSettings(projectID: "belfry-sink", endpoint: settings["FCM_ENDPOINT"]),
            accessToken: accessToken, at: now)
    }

    func oneSignal(
        _ title: String = "Hello", to token: String = "3c5e2a90-6f0e-4c7e-8f5b-0d5f2b8a1c11"
    ) -> PushRequest? {
        PushRequest(
            oneSignal: message(title), to: device(.onesignal, token),
            settings: OneSignalSettings(
                appID: settings["ONESIGNAL_APP_ID"] ?? "", apiKey: settings["ONESIGNAL_API_KEY"] ?? "",
                endpoint: settings["ONESIGNAL_ENDPOINT"]), at: now)
    }

    /// - Parameter subscription: as the sink's `/webpush/new` answered it.
    func webPush(_ title: String = "Hello", to subscription: [UInt8]) throws -> PushRequest? {
        let hosts = [settings["BELFRY_PUSH_WEB_PUSH_HOSTS"] ?? ""]
        let subscription = try WebPushSubscription(JSONValue(parsing: subscription), hosts: hosts, at: now)
        var device = device(.webpush, subscription.endpoint.url)
        device.keys = subscription.keys
        let key = try VAPIDKey(TextFile.read(settings["VAPID_PRIVATE_KEY_PATH"] ?? ""))
        var tokens = VAPIDTokens(key: key, subject: settings["VAPID_SUBJECT"] ?? "")
        return try PushRequest(
            webPush: message(title), to: device,
            settings: WebPushSettings(hosts: hosts, endpoint: settings["WEBPUSH_ENDPOINT"]), tokens: &tokens,
            secrets: .random(), at: now)
    }

    private func device(_ provider: Device.Provider, _ token: String) -> Device {
        Device(id: "phone-1", provider: provider, token: token, registeredAt: now)
    }

    private func message(_ title: String, id: String = "x", badge: Int64 = 1) -> PushMessage {
        PushMessage(
            content: PushContent(title: title, body: "World", group: "room:1", urgency: .normal, data: ["k": "v"]),
            badge: badge, notification: NotificationID(inbox: 1, sequence: 2), collapseID: id,
            position: PushMessage.Position(epoch: "e", seq: 2), expiry: now + .seconds(3_600))
    }
}
