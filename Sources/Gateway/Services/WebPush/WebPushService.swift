import JSON
import Push
import WireProtocol

/// The push services of browsers.
struct WebPushService: PushService {
    var provider: Device.Provider { .webpush }

    let fields: [SettingField] = [
        .optional(
            "push.webPush.privateKeyPath", \.push.webPush.privateKeyPath, expecting: "a path",
            alias: "VAPID_PRIVATE_KEY_PATH"),
        .optional(
            "push.webPush.subject", \.push.webPush.subject, expecting: VAPIDSubject.expectation, alias: "VAPID_SUBJECT",
            where: VAPIDSubject.isTaken),
        .list("push.webPush.hosts", \.push.webPush.hosts, expecting: "names of hosts"),
        .endpoint("push.webPush.endpoint", \.push.webPush.endpoint, alias: "WEBPUSH_ENDPOINT"),
        .optional("push.webPush.caFile", \.push.webPush.caFile, expecting: "a path", alias: "WEBPUSH_CA_FILE"),
    ]

    var need: ServiceNeed? {
        ServiceNeed(
            group: "push.webPush", text: "Web Push needs privateKeyPath and subject",
            keys: [
                ("privateKeyPath", { $0.webPush.privateKeyPath == nil }), ("subject", { $0.webPush.subject == nil }),
            ])
    }

    func isNamed(in settings: Settings.Push) -> Bool { settings.webPush.privateKeyPath != nil }

    var members: [String] { ["keys", "expirationTime", "scope"] }

    func address(_ request: AddressRequest) throws(Problem) -> DeviceAddress {
        var json: JSONObject = ["endpoint": request.members.value("token") ?? .null]
        for name in members { json[name] = request.members.value(name) ?? .null }
        do {
            let subscription = try WebPushSubscription(
                .object(json), hosts: request.settings.webPush.hosts, at: request.now)
            return DeviceAddress(
                token: subscription.endpoint.url, keys: subscription.keys, scope: subscription.scope,
                expiresAt: subscription.expiration)
        } catch {
            throw Problem(error, at: error.pointer == "/endpoint" ? "/token" : error.pointer)
        }
    }

    func makeSender(_ settings: Settings.Push, _ tools: SenderTools) throws -> (any PushSender)? {
        let settings = settings.webPush
        guard let path = settings.privateKeyPath, let subject = settings.subject else { return nil }
        return try WebPushSender(
            settings: WebPushSettings(hosts: settings.hosts, endpoint: settings.endpoint), keyPath: path,
            subject: subject, client: tools.anyHTTP("a browser's push service", caFile: settings.caFile))
    }

    func makeSinkService(_ parts: SinkParts) throws -> (any SinkService)? { try WebPushSinkService(parts) }

    func sinkVariables(_ folder: SinkFolder, base: String) -> [(name: String, value: String)] {
        [
            ("VAPID_PRIVATE_KEY_PATH", folder.vapidKeyFile), ("VAPID_SUBJECT", SinkIdentity.vapidSubject),
            ("WEBPUSH_ENDPOINT", base), ("WEBPUSH_CA_FILE", folder.certificateFile),
            ("BELFRY_PUSH_WEB_PUSH_HOSTS", String(base.dropFirst("https://".count))),
        ]
    }
}

extension Problem {
    init(_ problem: WebPushSubscriptionProblem, at pointer: String) {
        self.init(status: 400, code: "invalid_value", detail: problem.reason, pointer: pointer)
    }
}
