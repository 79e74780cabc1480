import Inbox

extension Settings {
    /// All settings: the one table for reading files, variables and flags, and for printing settings.
    var fields: [SettingField] {
        Self.own + namedApps.flatMap { Self.authFields(of: $0) }
            + providers.keys.sorted().flatMap(Self.providerFields)
            + publishers.keys.sorted().flatMap(Self.publisherFields)
            + webhooks.endpoints.keys.sorted().flatMap(Self.webhookFields(of:)) + services.all.flatMap(\.fields)
    }

    func field(at path: String) -> SettingField? { fields(beside: path).first { $0.path == path } }

    /// Whether a path leads to settings, and not to one.
    func isGroup(_ path: String) -> Bool { fields(beside: path).contains { $0.path.hasPrefix(path + ".") } }

    /// The settings of the app, provider or publisher that a path names; for other paths all that belong to no name. To make all
    /// for each key of a file took a third of a second with a hundred apps.
    private func fields(beside path: String) -> [SettingField] {
        if let app = Self.name(in: path, under: Self.appsPath).flatMap({ AppName($0) }), authByApp[app] != nil {
            return Self.authFields(of: app)
        }
        if let name = Self.name(in: path, under: Self.providersPath), providers[name] != nil {
            return Self.providerFields(of: name)
        }
        if let name = Self.name(in: path, under: Self.publishersPath), publishers[name] != nil {
            return Self.publisherFields(of: name)
        }
        if let name = Self.name(in: path, under: Self.webhooksPath), webhooks.endpoints[name] != nil {
            return Self.webhookFields(of: name)
        }
        return Self.own + services.all.flatMap(\.fields)
    }

    /// `golf` of `auth.apps.golf.secretFile`.
    private static func name(in path: String, under group: String) -> String? {
        guard path.hasPrefix(group + "."), let end = path.lastIndex(of: ".") else { return nil }
        let start = path.index(path.startIndex, offsetBy: group.count + 1)
        return start < end ? String(path[start..<end]) : nil
    }

    private static let own =
        general + edgeFields + publishingFields + limitFields + liveFields + inboxFields + authFields(of: nil)
        + feedFields + pushFields + consoleFields + traceFields + webhookFields

    private static let general: [SettingField] = [
        .one("listen", \.listen),
        .optional("socket", \.socket, expecting: "a path"),
        .one("socketMode", \.socketMode),
        .optional("socketGroup", \.socketGroup, expecting: "a group's name or number"),
        .one("ops", \.ops),
        .one("data", \.data, expecting: "a path") { !$0.isEmpty },
        .optional("node", \.node, expecting: "a name without spaces, 63 characters at most", where: isNodeName),
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

    private static let publishingFields: [SettingField] = [
        .optional("publishing.listen", \.publishing.listen),
        .optional("publishing.certificateFile", \.publishing.certificateFile, expecting: "a path"),
        .optional("publishing.keyFile", \.publishing.keyFile, expecting: "a path"),
        .count("publishing.connections", \.publishing.connections),
    ]

    private static let limitFields: [SettingField] = [
        .count("limits.clientFrameBytes", \.limits.clientFrameBytes, atLeast: 128),
        .one(
            "limits.clientFramesPer10s", \.limits.clientFramesPer10s, expecting: "a whole number from 1 to 65000"
        ) { 1...65_000 ~= $0 },
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
        .optional("store.url", \.store.url, expecting: "postgres://user@host/database", alias: "BELFRY_STORE"),
        .optional("store.passwordFile", \.store.passwordFile, expecting: "a path"),
        .optional("store.listenURL", \.store.listenURL, expecting: "postgres://user@host/database"),
        .one("store.pollInterval", \.store.pollInterval, expecting: "0s, or a duration from 10ms to 1s, such as 50ms") {
            $0 == .zero || (Duration.milliseconds(10)...Duration.seconds(1)).contains($0)
        },
        .one(
            "store.commitInterval", \.store.commitInterval, expecting: "a duration from 0s to 1s, such as 4ms"
        ) { $0 <= Settings.Store.longestCommitInterval },
        .one(
            "store.outboxInterval", \.store.outboxInterval,
            expecting: "0s, or a duration from 10ms to 1m, such as 100ms"
        ) { $0 == .zero || (Duration.milliseconds(10)...Duration.seconds(60)).contains($0) },
        .optional("store.outboxPublisher", \.store.outboxPublisher, expecting: "a publisher's name"),
        .one("inbox.keep", \.inbox.keep),
        .count("inbox.maximum", \.inbox.maximum, atLeast: 0),
        .one("inbox.readCountsAsLook", \.inbox.readCountsAsLook),
        .count("inbox.rememberedInboxes", \.inbox.rememberedInboxes, atLeast: 0),
        .count("inbox.rememberedChangeBytes", \.inbox.rememberedChangeBytes, atLeast: 0),
        .span("trail.keep", \.trail.keep),
        .one("trail.explain", \.trail.isExplained),
    ]

    /// Where settings of named apps are: `auth.apps.golf.secretFile`.
    static let appsPath = "auth.apps"

    /// - Parameter app: nil for the unnamed app.
    private static func authFields(of app: AppName?) -> [SettingField] {
        let path = app.map { "\(appsPath).\($0.text)" } ?? "auth"
        return [
            .list("\(path).algorithms", \.[auth: app].algorithms),
            .optional(
                "\(path).secret", \.[auth: app].secret,
                expecting: "a text of \(VerificationKey.minimumSecretBytes) bytes or more"),
            .optional("\(path).secretFile", \.[auth: app].secretFile, expecting: "a path"),
            .list("\(path).publicKeyFiles", \.[auth: app].publicKeyFiles, expecting: "paths of PEM files"),
            .optional("\(path).jwksFile", \.[auth: app].jwksFile, expecting: "a path"),
            .one("\(path).userClaim", \.[auth: app].userClaim, expecting: "a claim's name") { !$0.isEmpty },
            .list("\(path).audience", \.[auth: app].audience),
            .optional("\(path).issuer", \.[auth: app].issuer),
            .one("\(path).leeway", \.[auth: app].leeway),
            .one("\(path).requireExpiry", \.[auth: app].requireExpiry),
            .one("\(path).registerDeviceWithoutToken", \.[auth: app].registerDeviceWithoutToken),
            .one("\(path).pollWithoutToken", \.[auth: app].pollWithoutToken),
        ]
    }

    /// Where publishers' settings are: `publishers.rooms-backend.uid`.
    static let publishersPath = "publishers"

    private static func publisherFields(of name: String) -> [SettingField] {
        let path = "\(publishersPath).\(name)"
        return [
            .optional("\(path).uid", \.[publisher: name].uid, expecting: "a user's number") {
                UInt32(exactly: $0) != nil
            },
            .optional("\(path).gid", \.[publisher: name].gid, expecting: "a group's number") {
                UInt32(exactly: $0) != nil
            },
            .optional(
                "\(path).keyHash", \.[publisher: name].keyHash, expecting: "what `belfry publisher key` prints",
                where: { PublisherKey.isHash($0.text) }),
            .optional("\(path).app", \.[publisher: name].app, expecting: "an app's name"),
            .list("\(path).events", \.[publisher: name].events, expecting: "event types"),
            .list("\(path).calls", \.[publisher: name].calls),
            .count("\(path).eventsPerSecond", \.[publisher: name].eventsPerSecond, atLeast: 0),
            .count("\(path).burst", \.[publisher: name].burst, atLeast: 0),
            .count("\(path).bytesUnderWay", \.[publisher: name].bytesUnderWay, atLeast: 0),
        ]
    }

    private static let feedFields: [SettingField] = [.one("feeds.undeclared", \.feeds.undeclared)]

    private static let pushFields: [SettingField] = [
        .one("push.grace", \.push.grace),
        .span("push.expiry", \.push.expiry),
        .count("push.concurrency", \.push.concurrency),
        .span("push.deviceAge", \.push.deviceAge),
        .one("push.badgeDelay", \.push.badgeDelay),
        .count("push.activities.startsPerHour", \.push.activityStartsPerHour),
        .count("push.activities.urgentPerHour", \.push.activityUrgentPerHour, atLeast: 0),
    ]

    /// Every setting on a line, `path: value`; secrets are placeholders.
    package var redactedDescription: String {
        fields.map { field in
            let texts = field.texts(self)
            let value = field.isList ? "[\(texts.joined(separator: ", "))]" : texts.first ?? "-"
            return "\(field.path): \(value)"
        }.joined(separator: "\n")
    }
}
