import Inbox
import JSON
import Push
import WireProtocol

/// Reads what apps and pages send about a device, and checks it as far as possible without asking a provider.
struct DeviceRequest {
    private static let members = [
        "provider", "token", "app", "platform", "environment", "locale", "zone", "permission",
    ]

    /// The members that form an address, beside the token.
    private var addressMembers: [String] { settings.services.all.flatMap(\.members) }

    let user: UserID
    let now: Timestamp
    let settings: Settings

    /// `PUT /api/devices/{id}`. A mere hint never prevents a registration, as without one the device gets no pushes.
    ///
    /// - Parameter warnings: gets the members that were dropped because they were not understood.
    func device(id: String, _ body: [UInt8], _ warnings: inout [String]) throws(Problem) -> Device {
        try device(id: id, members(body), awaitsToken: false, &warnings)
    }

    /// `PUT /v1/users/{user}/devices/{id}`: the same, also for a device whose app will send its token later.
    func announced(id: String, _ body: [UInt8], _ warnings: inout [String]) throws(Problem) -> Device {
        let members = try members(body)
        let isAddressed = (["token"] + addressMembers).contains { members.value($0) != nil }
        return try device(id: id, members, awaitsToken: !isAddressed, &warnings)
    }

    private func members(_ body: [UInt8]) throws(Problem) -> KnownMembers {
        try KnownMembers(body, known: Self.members + addressMembers)
    }

    private func device(
        id: String, _ members: KnownMembers, awaitsToken: Bool, _ warnings: inout [String]
    ) throws(Problem) -> Device {
        let (id, app) = (try Self.id(id), try DeviceRoutes.label(members.text("app", .app), of: user.app))
        let providers = TextRule.provider(of: settings.services.providers)
        let provider =
            awaitsToken
            ? try members.text("provider", providers) ?? settings.services.providers[0]
            : try members.requiredText("provider", providers)
        try checkMembers(members, of: provider)
        let address =
            awaitsToken
            ? DeviceAddress(token: Device.awaitedToken(ofDevice: id, app: app, of: user))
            : try self.address(provider, members)
        let environment = try members.text("environment", TextRule<Device.Environment>.choice)
        var device = Device(
            id: id, app: app, provider: provider, token: address.token,
            keys: address.keys, platform: members.hint("platform", .platform, &warnings), environment: environment,
            locale: members.hint("locale", .locale, &warnings), zone: members.hint("zone", .zone, &warnings),
            permission: members.hint("permission", TextRule<Device.Permission>.choice, &warnings), registeredAt: now)
        (device.scope, device.expiresAt) = (address.scope, address.expiresAt)
        return device
    }

    /// `PUT /api/devices/{id}/subscription`: the result of a browser's `PushSubscription.toJSON()`.
    func subscription(id: String, app: String, _ body: [UInt8]) throws(Problem) -> Device {
        let json = try JSONBody.parse(body)
        let id = try Self.id(id)
        do {
            let subscription = try WebPushSubscription(json, hosts: settings.push.webPush.hosts, at: now)
            // Browsers subscribe only after the person has allowed it (Push API §5).
            var device = Device(
                id: id, app: app, provider: .webpush, token: subscription.endpoint.url, keys: subscription.keys,
                platform: "web", permission: .granted, registeredAt: now)
            (device.scope, device.expiresAt) = (subscription.scope, subscription.expiration)
            return device
        } catch {
            throw Problem(error, at: error.pointer)
        }
    }

    /// `PUT /api/notifications/player-id {playerId}`, as apps with OneSignal's SDK send it after each login.
    func player(app: String, _ body: [UInt8]) throws(Problem) -> Device {
        let text = try JSONBody(body).text("playerId")
        guard let player = TextRule.oneSignalToken.read(text), TextRule.deviceID.read("player:" + player) != nil else {
            throw .member("invalid_value", "playerId", "expected \(TextRule.oneSignalToken.expectation)")
        }
        return Device(id: "player:" + player, app: app, provider: .onesignal, token: player, registeredAt: now)
    }

    /// Checks a device's id from a path.
    static func id(_ text: String) throws(Problem) -> String {
        guard let id = TextRule.deviceID.read(text) else {
            throw .parameter("device: expected \(TextRule.deviceID.expectation)")
        }
        return id
    }

    // MARK: Where the provider finds it

    private func address(_ provider: Device.Provider, _ members: KnownMembers) throws(Problem) -> DeviceAddress {
        guard let service = settings.services[provider] else { preconditionFailure("the provider is one of them") }
        return try service.address(
            AddressRequest(user: user, members: members, settings: settings.push, now: now))
    }

    /// Refuses members that only other services' devices have.
    private func checkMembers(_ members: KnownMembers, of provider: Device.Provider) throws(Problem) {
        for service in settings.services.all where service.provider != provider {
            let names = service.members + (service.hasEnvironments ? ["environment"] : [])
            for name in names where ![nil, false].contains(members.value(name)) {
                throw .member("invalid_value", name, "expected only with the provider \(service.provider)")
            }
        }
    }
}
