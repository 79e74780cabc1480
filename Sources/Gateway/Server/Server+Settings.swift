import Glibc
import Inbox
import Logging
import Push
import Storage
import Transport

/// How settings become parts of a server.
extension Server {
    static func shardCount(_ settings: Settings) -> Int {
        settings.shards > 0 ? settings.shards : max(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 1)
    }

    static func store(_ settings: Settings, presence: Presence) throws -> SQLiteStore {
        var options = SQLiteStoreOptions(
            makeEpoch: { RandomName.make(prefix: "") }, isLive: { presence.isLive($0) })
        options.grace = settings.push.grace
        options.pushExpiry = settings.push.expiry
        return try SQLiteStore(folder: settings.data, options: options)
    }

    /// A sender for each provider that is configured.
    static func senders(
        _ settings: Settings, logger: Logger
    ) async throws -> [Device.Provider: any PushSender] {
        let apns = settings.push.apns
        guard let keyID = apns.keyID, let teamID = apns.teamID, let path = apns.keyPath, let bundleID = apns.bundleID
        else { return [:] }
        var clientSettings = HTTPClientSettings()
        clientSettings.caFile = apns.caFile
        let sender = try await APNsSender(
            settings: APNsSettings(bundleID: bundleID, isSandbox: apns.useSandbox, endpoint: apns.endpoint),
            keyID: keyID, teamID: teamID, keyText: try TextFile.read(path),
            client: HTTPClient(clientSettings, label: "belfry.apns"), logger: logger)
        return [.apns: sender]
    }
}
