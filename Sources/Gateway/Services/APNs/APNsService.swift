import Push
import WireProtocol

/// Apple's push service.
struct APNsService: PushService {
    var provider: Device.Provider { .apns }

    let fields: [SettingField] = [
        .optional("push.apns.keyID", \.push.apns.keyID, alias: "APNS_KEY_ID"),
        .optional("push.apns.teamID", \.push.apns.teamID, alias: "APNS_TEAM_ID"),
        .optional("push.apns.keyPath", \.push.apns.keyPath, expecting: "a path", alias: "APNS_KEY_PATH"),
        .optional("push.apns.bundleID", \.push.apns.bundleID, alias: "APNS_BUNDLE_ID"),
        .list("push.apns.bundleIDs", \.push.apns.bundleIDs),
        .one("push.apns.useSandbox", \.push.apns.useSandbox, alias: "APNS_USE_SANDBOX"),
        .endpoint("push.apns.endpoint", \.push.apns.endpoint, alias: "APNS_ENDPOINT"),
        .optional("push.apns.caFile", \.push.apns.caFile, expecting: "a path", alias: "APNS_CA_FILE"),
    ]

    var need: ServiceNeed? {
        ServiceNeed(
            group: "push.apns", text: "APNs needs keyID, teamID, keyPath and bundleID",
            keys: [
                ("keyID", { $0.apns.keyID == nil }), ("teamID", { $0.apns.teamID == nil }),
                ("keyPath", { $0.apns.keyPath == nil }), ("bundleID", { $0.apns.bundleID == nil }),
            ])
    }

    func isNamed(in settings: Settings.Push) -> Bool { settings.apns.keyID != nil }

    var hasEnvironments: Bool { true }

    func address(_ request: AddressRequest) throws(Problem) -> DeviceAddress {
        DeviceAddress(token: try request.members.requiredText("token", .apnsToken))
    }

    func makeSender(_ settings: Settings.Push, _ tools: SenderTools) async throws -> (any PushSender)? {
        let settings = settings.apns
        guard let keyID = settings.keyID, let teamID = settings.teamID, let path = settings.keyPath,
            let bundleID = settings.bundleID
        else { return nil }
        let bundleIDs = Dictionary(settings.bundleIDs.map { ($0.app, $0.bundleID) }) { $1 }
        return try await APNsSender(
            settings: APNsSettings(
                bundleID: bundleID, bundleIDs: bundleIDs, isSandbox: settings.useSandbox, endpoint: settings.endpoint),
            keyID: keyID, teamID: teamID, keyPath: path,
            client: tools.http2("APNs", caFile: settings.caFile), logger: tools.logger)
    }

    func makeSinkService(_ parts: SinkParts) throws -> (any SinkService)? {
        let (folder, identity) = (parts.folder, parts.folder.identity)
        let tokens: APNsTokenCheck
        do {
            tokens =
                try parts.apnsKeyFile.map { try APNsTokenCheck(pem: TextFile.read($0)) }
                ?? APNsTokenCheck(
                    pem: TextFile.read(folder.apnsKeyFile), keyID: identity.apnsKeyID, teamID: identity.apnsTeamID)
        } catch let error as ServerError {
            throw error
        } catch {
            // The library's message names no file.
            throw ServerError("\(parts.apnsKeyFile ?? folder.apnsKeyFile): expected an EC key on P-256 in PEM form")
        }
        // "APNs requires the use of HTTP/2" (Apple, "Sending notification requests to APNs").
        return PlainSinkService(provider: provider, needsHTTP2: true, standIn: APNsStandIn()) { path in
            path.hasPrefix("/3/")
        } check: { request, now in
            tokens.check(request.header("authorization"), at: now)
        }
    }

    func sinkVariables(_ folder: SinkFolder, base: String) -> [(name: String, value: String)] {
        [
            ("APNS_KEY_ID", folder.identity.apnsKeyID), ("APNS_TEAM_ID", folder.identity.apnsTeamID),
            ("APNS_KEY_PATH", folder.apnsKeyFile), ("APNS_BUNDLE_ID", SinkIdentity.bundleID),
            ("APNS_ENDPOINT", base), ("APNS_CA_FILE", folder.certificateFile),
        ]
    }
}

extension TextRule<String> {
    /// Apple decides a token's length: "Don't hard-code their size" (Registering your app with APNs).
    static let apnsToken = TextRule(expectation: "the token's bytes in hex, at most 100") { text in
        let isHex = text.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
        return (2...200).contains(text.utf8.count) && text.utf8.count % 2 == 0 && isHex ? text.lowercased() : nil
    }
}
