import Deliveries
import GRDB
import Inbox
import Push
import Store

final class DeviceTable: DeviceRows {
    private let rows: FreeDeviceRows
    private let insert: Statement
    private let update: Statement
    private let delete: Statement
    private let writeBadge: Statement
    private let find: Statement
    private let findName: Statement
    private let findToken: Statement
    private let findInbox: Statement
    private let findTargets: Statement
    private let findUnseen: Statement
    private let providers: ProviderList
    private let damage: DamageWatch

    /// - Parameters:
    ///   - maximum: the most devices that there may be.
    ///   - search: how far the search for free rows has come.
    ///   - damage: hears of rows that cannot be read.
    init(
        _ db: Database, maximum: Int64, _ search: DeviceRowSearch, _ providers: ProviderList, _ damage: DamageWatch
    ) throws {
        (self.providers, self.damage) = (providers, damage)
        rows = try FreeDeviceRows(db, upTo: min(maximum, PushJobNumber.devices.upperBound), search)
        let select = "SELECT \(DeviceRecord.columns) FROM device WHERE"
        insert = try db.statement(
            sql: """
                INSERT INTO device (
                    row, inbox, app, id, provider, token, p256dh, auth, platform, environment, locale, zone, permission,
                    registered_at, last_seen_at, registrar, scope, expires_at
                ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        update = try db.statement(
            sql: """
                UPDATE device SET provider = ?, token = ?, p256dh = ?, auth = ?, platform = ?, environment = ?,
                    locale = ?, zone = ?, permission = ?, registered_at = ?, last_seen_at = ?, registrar = ?,
                    scope = ?, expires_at = ?
                WHERE row = ?
                """)
        delete = try db.statement(sql: "DELETE FROM device WHERE row = ?")
        // An event for many runs these two once a push.
        writeBadge = try Statement(db, sql: "UPDATE device SET badge = ?, badge_rule = ? WHERE row = ?")
        find = try Statement(db, sql: "\(select) row = ?")
        findName = try db.statement(sql: "\(select) inbox = ? AND app = ? AND id = ?")
        findToken = try db.statement(sql: "\(select) provider = ? AND token = ?")
        findInbox = try db.statement(sql: "\(select) inbox = ? ORDER BY app, id")
        findTargets = try db.statement(
            sql: """
                SELECT row, provider FROM device WHERE inbox = ?1 AND (?2 = '' OR app = '' OR app = ?2)
                    AND (permission IS NULL OR permission <> '\(Device.Permission.denied.rawValue)')
                    AND NOT (token >= '\(Device.awaitedPrefix)' AND token < '\(Device.awaitedPrefix)\u{10FFFF}')
                ORDER BY app, id
                """)
        findUnseen = try db.statement(sql: "\(select) last_seen_at < ? ORDER BY last_seen_at LIMIT ?")
    }

    // MARK: Looking

    func record(row: Int64) throws -> DeviceRecord? { try find.first({ $0.append(row) }, read) }

    func record(inbox: Int64, app: String, id: String) throws -> DeviceRecord? {
        try findName.first([inbox, app, id], read)
    }

    func record(provider: Device.Provider, token: String, in app: AppName) throws -> DeviceRecord? {
        try findToken.first([provider.name, Self.column(token, in: app)], read)
    }

    func records(inbox: Int64) throws -> [DeviceRecord] { try findInbox.all([inbox], read) }

    private func read(_ row: StoredRow) -> DeviceRecord {
        let record = DeviceRecord(row, providers)
        if record.isDamaged { damage.leaveOut(DamagedRow(table: "device", key: "\(record.row)")) }
        return record
    }

    /// The devices that get an app's pushes, without those whose token is awaited. An empty name stands for all apps,
    /// of the argument and of a device.
    func targets(inbox: Int64, app: String) throws -> [DeviceTarget] {
        try findTargets.sound([inbox, app], of: RowNaming(table: "device"), damage) { row in
            guard let provider = providers[name: try row.text(1)] else { throw DamagedRow(table: "device") }
            return DeviceTarget(row: try row.int(0), provider: provider)
        }
    }

    func records(lastSeenBefore time: Timestamp, limit: Int) throws -> [DeviceRecord] {
        try findUnseen.all([time.milliseconds, limit], read)
    }

    // MARK: Writing

    /// A row for a new device; nil if there is no room for one.
    func freeRow() throws -> Int64? { try rows.free() }

    /// - Parameters:
    ///   - row: a free one.
    ///   - app: the owner's.
    func insert(_ device: Device, inbox: Int64, row: Int64, in app: AppName) throws {
        try insert.execute(
            arguments: [
                row, inbox, device.app, device.id, device.provider.name, Self.column(device.token, in: app),
                device.keys.map { $0.p256dh }, device.keys.map { $0.auth }, device.platform,
                device.environment?.rawValue, device.locale, device.zone, device.permission?.rawValue,
                device.registeredAt.milliseconds, device.lastSeenAt.milliseconds, device.registrar.rawValue,
                device.scope, device.expiresAt?.milliseconds,
            ])
    }

    /// Writes everything but the device's id and app.
    func update(row: Int64, to device: Device, in app: AppName) throws {
        try update.execute(
            arguments: [
                device.provider.name, Self.column(device.token, in: app), device.keys.map { $0.p256dh },
                device.keys.map { $0.auth }, device.platform, device.environment?.rawValue, device.locale,
                device.zone, device.permission?.rawValue, device.registeredAt.milliseconds,
                device.lastSeenAt.milliseconds, device.registrar.rawValue, device.scope,
                device.expiresAt?.milliseconds, row,
            ])
    }

    /// A named app's tokens stand with its name, so that two apps may have the same one. An awaited token names its owner
    /// anyway, and is found by its beginning.
    static func column(_ token: String, in app: AppName) -> String {
        token.hasPrefix(Device.awaitedPrefix) ? token : app.key(token)
    }

    func write(_ badge: DeviceRecord.Badge, row: Int64) throws {
        try writeBadge.execute { arguments in
            arguments.append(badge.number)
            arguments.append(badge.rule.rawValue)
            arguments.append(row)
        }
    }

    func delete(row: Int64) throws {
        try delete.execute(arguments: [row])
        rows.freed(row)
    }
}
