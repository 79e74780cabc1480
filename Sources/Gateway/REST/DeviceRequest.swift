import Inbox
import JSON
import Push
import WireProtocol

/// Reads what apps and pages tell about a device, and checks what can be checked without asking a provider.
struct DeviceRequest {
    private static let members = [
        "provider", "token", "externalId", "app", "platform", "environment", "locale", "zone", "permission", "keys",
    ]

    let user: UserID
    let now: Timestamp
    /// Whose push services a browser may name.
    let webPushHosts: [String]

    /// `PUT /api/devices/{id}`. What a device only hints at never prevents its registration: without one it gets no
    /// pushes.
    ///
    /// - Parameter warnings: gets what was dropped, as it was not understood.
    func device(id: String, _ body: [UInt8], _ warnings: inout [String]) throws(Problem) -> Device {
        try device(id: id, KnownMembers(body, known: Self.members), awaitsToken: false, &warnings)
    }

    /// `PUT /v1/users/{user}/devices/{id}`: as above, or of a device whose app is to tell its token later.
    func announced(id: String, _ body: [UInt8], _ warnings: inout [String]) throws(Problem) -> Device {
        let members = try KnownMembers(body, known: Self.members)
        let isAddressed = ["token", "externalId", "keys"].contains { members.value($0).map { $0 != .null } ?? false }
        return try device(id: id, members, awaitsToken: !isAddressed, &warnings)
    }

    private func device(
        id: String, _ members: KnownMembers, awaitsToken: Bool, _ warnings: inout [String]
    ) throws(Problem) -> Device {
        let (id, app) = (try Self.id(id), try members.text("app", .app) ?? "")
        let provider: Device.Provider
        let address: (token: String, keys: WebPushKeys?)
        if awaitsToken {
            provider = try members.text("provider", TextRule<Device.Provider>.choice) ?? .apns
            address = (Device.awaitedToken(ofDevice: id, app: app, of: user), nil)
        } else {
            provider = try members.requiredText("provider", TextRule<Device.Provider>.choice)
            address = try self.address(provider, members)
        }
        let environment = try members.text("environment", TextRule<Device.Environment>.choice)
        guard environment == nil || provider == .apns else {
            throw .member("invalid_value", "environment", "expected only with the provider apns")
        }
        return Device(
            id: id, app: app, provider: provider, token: address.token,
            keys: address.keys, platform: members.hint("platform", .platform, &warnings), environment: environment,
            locale: members.hint("locale", .locale, &warnings), zone: members.hint("zone", .zone, &warnings),
            permission: members.hint("permission", TextRule<Device.Permission>.choice, &warnings), registeredAt: now)
    }

    /// `PUT /api/devices/{id}/subscription`: what a browser's `PushSubscription.toJSON()` gives.
    func subscription(id: String, app: String, _ body: [UInt8]) throws(Problem) -> Device {
        let json = try JSONBody.parse(body)
        let id = try Self.id(id)
        do {
            let subscription = try WebPushSubscription(json, hosts: webPushHosts, at: now)
            // Browsers subscribe only where the person has allowed it (Push API §5).
            return Device(
                id: id, app: app, provider: .webpush, token: subscription.endpoint.url, keys: subscription.keys,
                platform: "web", permission: .granted, registeredAt: now)
        } catch {
            throw Problem(error, at: error.pointer)
        }
    }

    /// `PUT /api/notifications/player-id {playerId}`, as apps with OneSignal's SDK send it after each login.
    func player(app: String, _ body: [UInt8]) throws(Problem) -> Device {
        let text = try JSONBody(body).text("playerId")
        guard let player = TextRule.oneSignalToken.read(text) else {
            throw .member("invalid_value", "playerId", "expected \(TextRule.oneSignalToken.expectation)")
        }
        return Device(id: "player:" + player, app: app, provider: .onesignal, token: player, registeredAt: now)
    }

    /// Checks a device's id that stands in a path.
    static func id(_ text: String) throws(Problem) -> String {
        guard let id = TextRule.deviceID.read(text) else {
            throw Problem(
                status: 400, code: "invalid_parameter", detail: "device: expected \(TextRule.deviceID.expectation)")
        }
        return id
    }

    // MARK: Where the provider finds it

    private func address(
        _ provider: Device.Provider, _ members: KnownMembers
    ) throws(Problem) -> (token: String, keys: WebPushKeys?) {
        if provider != .webpush, members.value("keys") != nil {
            throw .member("invalid_value", "keys", "expected only with the provider webpush")
        }
        let isByUser = try members.truth("externalId") ?? false
        guard !isByUser || provider == .onesignal else {
            throw .member("invalid_value", "externalId", "expected only with the provider onesignal")
        }
        switch provider {
        case .apns: return (try members.requiredText("token", .apnsToken), nil)
        case .fcm: return (try members.requiredText("token", .fcmToken), nil)
        case .onesignal where isByUser:
            guard members.value("token") == nil else {
                throw .member("invalid_value", "token", "expected either a token or externalId")
            }
            guard !OneSignalExternalID.isRestricted(user.rawValue) else {
                throw .member(
                    "restricted_external_id", "externalId",
                    "OneSignal refuses external ids that it reads as nobody or everybody: \(OneSignalExternalID.restricted); "
                        + "expected the token of a push subscription")
            }
            return (Device.oneSignalUserToken(user), nil)
        case .onesignal: return (try members.requiredText("token", .oneSignalToken), nil)
        case .webpush: return try webPushAddress(members)
        }
    }

    private func webPushAddress(_ members: KnownMembers) throws(Problem) -> (token: String, keys: WebPushKeys?) {
        let json: JSONValue = [
            "endpoint": members.value("token") ?? .null, "keys": members.value("keys") ?? .null,
        ]
        do {
            let subscription = try WebPushSubscription(json, hosts: webPushHosts, at: now)
            return (subscription.endpoint.url, subscription.keys)
        } catch {
            throw Problem(error, at: error.pointer == "/endpoint" ? "/token" : error.pointer)
        }
    }
}

extension Problem {
    fileprivate init(_ problem: WebPushSubscriptionProblem, at pointer: String) {
        self.init(status: 400, code: "invalid_value", detail: problem.reason, pointer: pointer)
    }
}
