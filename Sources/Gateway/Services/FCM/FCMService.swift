import Push
import WireProtocol

/// Google's push service, through its HTTP v1 interface.
struct FCMService: PushService {
    var provider: Device.Provider { .fcm }

    let fields: [SettingField] = [
        .optional(
            "push.fcm.serviceAccountPath", \.push.fcm.serviceAccountPath, expecting: "a path",
            alias: "FCM_SERVICE_ACCOUNT_PATH"),
        .endpoint("push.fcm.endpoint", \.push.fcm.endpoint, alias: "FCM_ENDPOINT"),
        .optional("push.fcm.caFile", \.push.fcm.caFile, expecting: "a path", alias: "FCM_CA_FILE"),
    ]

    func isNamed(in settings: Settings.Push) -> Bool { settings.fcm.serviceAccountPath != nil }

    func address(_ request: AddressRequest) throws(Problem) -> DeviceAddress {
        DeviceAddress(token: try request.members.requiredText("token", .fcmToken))
    }

    func makeSender(_ settings: Settings.Push, _ tools: SenderTools) async throws -> (any PushSender)? {
        let settings = settings.fcm
        guard let path = settings.serviceAccountPath else { return nil }
        return try await FCMSender(
            accountPath: path, endpoint: settings.endpoint, client: tools.http2("FCM", caFile: settings.caFile),
            tokenClient: tools.anyHTTP(
                "Google's token service", caFile: settings.caFile, timeout: ProviderClient.timeout / 2),
            logger: tools.logger, now: tools.now)
    }

    func makeSinkService(_ parts: SinkParts) throws -> (any SinkService)? { try FCMSinkService(parts) }

    func sinkVariables(_ folder: SinkFolder, base: String) throws -> [(name: String, value: String)] {
        try folder.writeServiceAccount(tokenURI: base + "/token")
        return [
            ("FCM_SERVICE_ACCOUNT_PATH", folder.serviceAccountFile), ("FCM_ENDPOINT", base),
            ("FCM_CA_FILE", folder.certificateFile),
        ]
    }
}

extension TextRule<String> {
    static let fcmToken = TextRule(expectation: "a registration token of at most 4096 characters") { text in
        (1...4_096).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? text : nil
    }
}
