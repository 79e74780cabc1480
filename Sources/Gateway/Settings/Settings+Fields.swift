import Push

extension Settings {
    /// All settings. The one table from which files, variables and flags are read, and settings are printed.
    static let fields: [SettingField] =
        general + edgeFields + limitFields + liveFields + inboxFields + authFields + pushFields

    private static let general: [SettingField] = [
        .one("listen", \.listen),
        .optional("socket", \.socket, expecting: "a path"),
        .one("socketMode", \.socketMode),
        .optional("socketGroup", \.socketGroup, expecting: "a group's name or number"),
        .one("ops", \.ops),
        .one("data", \.data, expecting: "a path") { !$0.isEmpty },
        .list("catalogs", \.catalogs, expecting: "paths of catalogs, or of folders with catalogs"),
        .count("shards", \.shards, atLeast: 0),
        .one("poller", \.poller),
        .one("log.level", \.log.level),
        .one("log.format", \.log.format),
    ]

    private static let edgeFields: [SettingField] = [
        .optional("tls.certificateFile", \.tls.certificateFile, expecting: "a path"),
        .optional("tls.keyFile", \.tls.keyFile, expecting: "a path"),
        .one("tls.minimumVersion", \.tls.minimumVersion),
        .span("tls.handshakeTimeout", \.tls.handshakeTimeout),
        .one("compression.enabled", \.compression.isEnabled),
        .count("compression.threshold", \.compression.threshold, atLeast: 0),
        .one("compression.level", \.compression.level, expecting: "a whole number from 1 to 9") { 1...9 ~= $0 },
        .one("compression.windowBits", \.compression.windowBits, expecting: "a whole number from 9 to 15") {
            9...15 ~= $0
        },
        .count("admission.connections", \.admission.connections, atLeast: 0),
        .count("admission.connectionsPerAddress", \.admission.connectionsPerAddress, atLeast: 0),
        .count("admission.connectionsPerSecond", \.admission.connectionsPerSecond, atLeast: 0),
        .list("admission.origins", \.admission.origins, expecting: "origins such as https://app.example.com"),
        .list("proxy.trusted", \.proxy.trusted, expecting: "addresses or networks such as 10.0.0.0/8"),
        .one("proxy.protocol", \.proxy.usesProxyProtocol),
        .count("drain.rate", \.drain.rate, atLeast: 0),
        .span("drain.deadline", \.drain.deadline),
    ]

    private static let limitFields: [SettingField] = [
        .count("limits.clientFrameBytes", \.limits.clientFrameBytes, atLeast: 128),
        .count("limits.clientFramesPer10s", \.limits.clientFramesPer10s),
        .count("limits.requestsPer10s", \.limits.requestsPer10s, atLeast: 0),
        .count("limits.requestsPerAddressPer10s", \.limits.requestsPerAddressPer10s, atLeast: 0),
        .count("limits.sessionsPerUser", \.limits.sessionsPerUser),
        .count("limits.queuedBytes", \.limits.queuedBytes, atLeast: 1_024),
        .span("limits.stallTimeout", \.limits.stallTimeout),
        .count("limits.headBytes", \.limits.headBytes, atLeast: 1_024),
        .count("limits.bodyBytes", \.limits.bodyBytes, atLeast: 1_024),
        .span("limits.headTimeout", \.limits.headTimeout),
        .span("limits.bodyTimeout", \.limits.bodyTimeout),
        .span("limits.bodyStallTimeout", \.limits.bodyStallTimeout),
        .span("limits.idleTimeout", \.limits.idleTimeout),
    ]

    private static let liveFields: [SettingField] = [
        .span("live.heartbeat", \.live.heartbeat),
        .span("live.pongTimeout", \.live.pongTimeout),
        .span("live.helloTimeout", \.live.helloTimeout),
        .span("live.renewGrace", \.live.renewGrace),
        .span("live.renewAfter", \.live.renewAfter),
        .one("live.tokenInQuery", \.live.tokenInQuery),
    ]

    private static let inboxFields: [SettingField] = [
        .one(
            "store.commitInterval", \.store.commitInterval, expecting: "a duration from 0s to 1s, such as 4ms"
        ) { $0 <= Settings.Store.longestCommitInterval },
        .one("inbox.keep", \.inbox.keep),
        .count("inbox.maximum", \.inbox.maximum, atLeast: 0),
        .one("inbox.readCountsAsLook", \.inbox.readCountsAsLook),
        .count("inbox.rememberedInboxes", \.inbox.rememberedInboxes, atLeast: 0),
        .count("inbox.rememberedChangeBytes", \.inbox.rememberedChangeBytes, atLeast: 0),
        .span("trail.keep", \.trail.keep),
        .one("trail.explain", \.trail.isExplained),
    ]

    private static let authFields: [SettingField] = [
        .list("auth.algorithms", \.auth.algorithms),
        .optional(
            "auth.secret", \.auth.secret,
            expecting: "a text of \(VerificationKey.minimumSecretBytes) bytes or more"),
        .optional("auth.secretFile", \.auth.secretFile, expecting: "a path"),
        .list("auth.publicKeyFiles", \.auth.publicKeyFiles, expecting: "paths of PEM files"),
        .optional("auth.jwksFile", \.auth.jwksFile, expecting: "a path"),
        .one("auth.userClaim", \.auth.userClaim, expecting: "a claim's name") { !$0.isEmpty },
        .list("auth.audience", \.auth.audience),
        .optional("auth.issuer", \.auth.issuer),
        .one("auth.leeway", \.auth.leeway),
        .one("auth.requireExpiry", \.auth.requireExpiry),
        .one("auth.registerDeviceWithoutToken", \.auth.registerDeviceWithoutToken),
        .one("auth.pollWithoutToken", \.auth.pollWithoutToken),
        .one("feeds.undeclared", \.feeds.undeclared),
    ]

    private static let pushFields: [SettingField] = [
        .one("push.grace", \.push.grace),
        .span("push.expiry", \.push.expiry),
        .count("push.concurrency", \.push.concurrency),
        .span("push.deviceAge", \.push.deviceAge),
        .one("push.badgeDelay", \.push.badgeDelay),
        .optional("push.apns.keyID", \.push.apns.keyID, alias: "APNS_KEY_ID"),
        .optional("push.apns.teamID", \.push.apns.teamID, alias: "APNS_TEAM_ID"),
        .optional("push.apns.keyPath", \.push.apns.keyPath, expecting: "a path", alias: "APNS_KEY_PATH"),
        .optional("push.apns.bundleID", \.push.apns.bundleID, alias: "APNS_BUNDLE_ID"),
        .list("push.apns.bundleIDs", \.push.apns.bundleIDs),
        .one("push.apns.useSandbox", \.push.apns.useSandbox, alias: "APNS_USE_SANDBOX"),
        .endpoint("push.apns.endpoint", \.push.apns.endpoint, alias: "APNS_ENDPOINT"),
        .optional("push.apns.caFile", \.push.apns.caFile, expecting: "a path", alias: "APNS_CA_FILE"),
        .optional(
            "push.fcm.serviceAccountPath", \.push.fcm.serviceAccountPath, expecting: "a path",
            alias: "FCM_SERVICE_ACCOUNT_PATH"),
        .endpoint("push.fcm.endpoint", \.push.fcm.endpoint, alias: "FCM_ENDPOINT"),
        .optional("push.fcm.caFile", \.push.fcm.caFile, expecting: "a path", alias: "FCM_CA_FILE"),
        .optional("push.oneSignal.appID", \.push.oneSignal.appID, alias: "ONESIGNAL_APP_ID"),
        .optional("push.oneSignal.apiKey", \.push.oneSignal.apiKey, alias: "ONESIGNAL_API_KEY"),
        .endpoint("push.oneSignal.endpoint", \.push.oneSignal.endpoint, alias: "ONESIGNAL_ENDPOINT"),
        .optional(
            "push.oneSignal.caFile", \.push.oneSignal.caFile, expecting: "a path", alias: "ONESIGNAL_CA_FILE"),
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

    static func field(at path: String) -> SettingField? { fields.first { $0.path == path } }

    /// Every setting on a line, `path: value`; secrets are placeholders.
    package var redactedDescription: String {
        Self.fields.map { field in
            let texts = field.texts(self)
            let value = field.isList ? "[\(texts.joined(separator: ", "))]" : texts.first ?? "-"
            return "\(field.path): \(value)"
        }.joined(separator: "\n")
    }
}
