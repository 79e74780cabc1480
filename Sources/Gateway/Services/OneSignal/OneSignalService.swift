import Foundation
import Inbox
import Push
import WireProtocol

/// OneSignal.
struct OneSignalService: PushService {
    var provider: Device.Provider { .onesignal }

    let fields: [SettingField] = [
        .optional("push.oneSignal.appID", \.push.oneSignal.appID, alias: "ONESIGNAL_APP_ID"),
        .optional("push.oneSignal.apiKey", \.push.oneSignal.apiKey, alias: "ONESIGNAL_API_KEY"),
        .endpoint("push.oneSignal.endpoint", \.push.oneSignal.endpoint, alias: "ONESIGNAL_ENDPOINT"),
        .optional(
            "push.oneSignal.caFile", \.push.oneSignal.caFile, expecting: "a path", alias: "ONESIGNAL_CA_FILE"),
    ]

    var need: ServiceNeed? {
        ServiceNeed(
            group: "push.oneSignal", text: "OneSignal needs appID and apiKey",
            keys: [("appID", { $0.oneSignal.appID == nil }), ("apiKey", { $0.oneSignal.apiKey == nil })])
    }

    func isNamed(in settings: Settings.Push) -> Bool { settings.oneSignal.appID != nil }

    var members: [String] { ["externalId"] }

    func address(_ request: AddressRequest) throws(Problem) -> DeviceAddress {
        let (user, members) = (request.user, request.members)
        guard try members.truth("externalId") ?? false else {
            return DeviceAddress(token: try members.requiredText("token", .oneSignalToken))
        }
        guard members.value("token") == nil else {
            throw .member("invalid_value", "token", "expected either a token or externalId")
        }
        // All apps share one app of OneSignal, whose people have no second name for the app.
        guard user.app.isUnnamed else {
            throw .member(
                "invalid_value", "externalId",
                "a named app's people have no external id at OneSignal; expected the token of a push subscription")
        }
        guard !OneSignalExternalID.isRestricted(user.name) else {
            throw .member(
                "restricted_external_id", "externalId",
                "OneSignal refuses external ids that it reads as nobody or everybody: \(OneSignalExternalID.restricted); "
                    + "expected the token of a push subscription")
        }
        return DeviceAddress(token: Device.oneSignalUserToken(user))
    }

    func makeSender(_ settings: Settings.Push, _ tools: SenderTools) throws -> (any PushSender)? {
        let settings = settings.oneSignal
        guard let appID = settings.appID, let apiKey = settings.apiKey else { return nil }
        return OneSignalSender(
            settings: OneSignalSettings(appID: appID, apiKey: apiKey.text, endpoint: settings.endpoint),
            client: try tools.http2("OneSignal", caFile: settings.caFile))
    }

    func makeSinkService(_ parts: SinkParts) -> (any SinkService)? {
        let identity = parts.folder.identity
        let standIn = OneSignalStandIn(appID: identity.oneSignalAppID)
        return PlainSinkService(provider: provider, standIn: standIn) { path in
            path == "/notifications" || path == "/api/v1/notifications"
        } check: { request, _ in
            guard let authorization = request.header("authorization") else { return .missing }
            // Schemes compare without case (RFC 9110 §11.1).
            let parts = authorization.split(separator: " ", maxSplits: 1)
            let isRight =
                parts.count == 2 && parts[0].lowercased() == "key" && parts[1] == identity.oneSignalAPIKey.text
            return isRight ? .valid : .invalid
        }
    }

    func sinkVariables(_ folder: SinkFolder, base: String) -> [(name: String, value: String)] {
        [
            ("ONESIGNAL_APP_ID", folder.identity.oneSignalAppID),
            ("ONESIGNAL_API_KEY", folder.identity.oneSignalAPIKey.text), ("ONESIGNAL_ENDPOINT", base),
            ("ONESIGNAL_CA_FILE", folder.certificateFile),
        ]
    }
}

extension TextRule<String> {
    /// Called player id before OneSignal's fifth SDK. A UUID as far as is known; OneSignal judges any other text. But a
    /// text must not name another user's devices.
    static let oneSignalToken = TextRule(
        expectation: "the id of a push subscription: 1 to 128 bytes without blanks, which does not begin with "
            + Device.oneSignalUserPrefix
    ) { text in
        guard (1...128).contains(text.utf8.count), !text.hasPrefix(Device.oneSignalUserPrefix),
            !text.hasControlCharacter, !text.contains(where: \.isWhitespace)
        else { return nil }
        return UUID(uuidString: text) == nil ? text : text.lowercased()
    }
}
