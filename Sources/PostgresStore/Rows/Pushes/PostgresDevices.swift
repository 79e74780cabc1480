import Deliveries
import Inbox
import Postgres
import Push

/// Devices that pushes go to: the table `device`.
///
/// A person's devices come and go under the lock of their inbox's row. Who is about to register a token holds the
/// token's lock, whether a device has it or not.
final class PostgresDevices: PostgresPart, DeviceRows {
    // MARK: Looking

    private static let byRow = select("row = $1")
    private static let byName = select("inbox = $1 AND app = $2 AND id = $3")
    private static let byToken = select("provider || ' ' || token = $1 || ' ' || $2")
    private static let byInbox = select("inbox = $1 ORDER BY app, id")
    private static let unseen = select("last_seen_at < $1 ORDER BY last_seen_at, row LIMIT $2")

    private static func select(_ condition: String) -> PostgresStatement {
        PostgresStatement(composed: "SELECT \(DeviceRecord.columns) FROM device WHERE \(condition)")
    }

    private func records(_ statement: PostgresStatement, _ values: [PostgresValue]) throws -> [DeviceRecord] {
        try connection.run(statement, values).map { try DeviceRecord($0, rows.providers) }
    }

    func record(row: Int64) throws -> DeviceRecord? {
        if let known = rows.facts.device(row: row) { return known }
        return try records(Self.byRow, [.int64(row)]).first
    }

    func record(inbox: Int64, app: String, id: String) throws -> DeviceRecord? {
        try records(Self.byName, [.int64(inbox), .text(app), .text(id)]).first
    }

    func record(provider: Device.Provider, token: String, in app: AppName) throws -> DeviceRecord? {
        let values: [PostgresValue] = [.text(provider.name), .text(Self.column(token, in: app))]
        // A statement of its own, so that the next one sees what the lock's last holder has done.
        try connection.queue("SELECT pg_advisory_xact_lock(4702, hashtext($1 || ' ' || $2))", values)
        return try records(Self.byToken, values).first
    }

    func records(inbox: Int64) throws -> [DeviceRecord] {
        if let known = rows.facts.devices(inbox: inbox) { return known.map(\.record) }
        return try records(Self.byInbox, [.int64(inbox)])
    }

    func records(lastSeenBefore time: Timestamp, limit: Int) throws -> [DeviceRecord] {
        try records(Self.unseen, [.int64(time.milliseconds), .int64(Int64(limit))])
    }

    func targets(inbox: Int64, app: String) throws -> [DeviceTarget] {
        if let known = rows.facts.devices(inbox: inbox) {
            return known.filter { app.isEmpty || $0.record.device.app.isEmpty || $0.record.device.app == app }
                .compactMap(\.target)
        }
        return try connection.run(
            """
            SELECT row, provider FROM device WHERE inbox = $1 AND ($2 = '' OR app = '' OR app = $2)
            AND permission IS DISTINCT FROM $3 AND NOT starts_with(token, $4)
            ORDER BY app, id
            """,
            [
                .int64(inbox), .text(app), .text(Device.Permission.denied.rawValue), .text(Device.awaitedPrefix),
            ]
        ).compactMap { row in
            let number = try row.int64(0)
            return rows.providers[name: try row.text(1)].map { DeviceTarget(row: number, provider: $0) }
        }
    }

    // MARK: Many at once

    private static let ofInboxes = select("inbox = ANY($1) ORDER BY inbox, app, id")
    private static let withOwners = PostgresStatement(
        composed: """
            SELECT \(DeviceRecord.columns), inbox."user" FROM device JOIN inbox ON inbox.id = device.inbox
            WHERE device.row = ANY($1)
            """)

    /// Looks up all devices of these inboxes.
    func fetch(inboxes: [Int64]) throws {
        var found: [Int64: [TransactionFacts.KnownRow]] = [:]
        for row in try connection.run(Self.ofInboxes, [.int64s(inboxes)]) {
            let record = try DeviceRecord(row, rows.providers)
            let isTarget =
                try record.device.permission != .denied
                && !row.text(DeviceRecord.tokenColumn).hasPrefix(Device.awaitedPrefix)
            let provider = try rows.providers[name: row.text(DeviceRecord.providerColumn)]
            let target = isTarget ? provider.map { DeviceTarget(row: record.row, provider: $0) } : nil
            found[record.inbox, default: []].append(.init(record: record, target: target))
        }
        for inbox in inboxes { rows.facts.keep(found[inbox] ?? [], inbox: inbox) }
    }

    /// Looks up devices, and returns their owners.
    func fetch(rows numbers: [Int64]) throws -> [UserID] {
        try connection.run(Self.withOwners, [.int64s(numbers)]).compactMap { row in
            let record = try DeviceRecord(row, rows.providers)
            rows.facts.keep(record)
            guard let user = UserID(key: try row.text(DeviceRecord.columnCount)) else { return nil }
            rows.facts.keep(user, ofInbox: record.inbox)
            return user
        }
    }

    // MARK: Rows for new devices

    /// The next number that no device has had. Once all have been given, the lowest one whose device is gone.
    func freeRow() throws -> Int64? {
        let last = min(rows.maximumDevices, PushJobNumber.devices.upperBound)
        let next = try connection.run("SELECT nextval('device_row')")[0].int64(0)
        return next <= last ? next : try gap(upTo: last)
    }

    /// One transaction at a time looks for a gap, and fills it before the next one looks.
    private func gap(upTo last: Int64) throws -> Int64? {
        try connection.queue("SELECT pg_advisory_xact_lock(4703, 0)")
        return try connection.run(
            """
            SELECT * FROM (SELECT 1::int8 WHERE $1 > 0 AND NOT EXISTS (SELECT 1 FROM device WHERE row = 1)) AS first
            UNION ALL
            SELECT * FROM (
                SELECT taken.row + 1 FROM device AS taken
                WHERE taken.row < $1 AND NOT EXISTS (SELECT 1 FROM device WHERE device.row = taken.row + 1)
                ORDER BY taken.row LIMIT 1
            ) AS next
            LIMIT 1
            """, [.int64(last)]
        ).first?.int64(0)
    }

    // MARK: Writing

    func insert(_ device: Device, inbox: Int64, row: Int64, in app: AppName) throws {
        rows.facts.forgetDevices()
        try connection.queue(
            """
            INSERT INTO device (
                row, provider, token, p256dh, auth, platform, environment, locale, zone, permission, registered_at,
                last_seen_at, registrar, scope, expires_at, inbox, app, id
            ) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
            """,
            Self.values(row, device, app) + [.int64(inbox), .text(device.app), .text(device.id)])
    }

    func update(row: Int64, to device: Device, in app: AppName) throws {
        rows.facts.forgetDevices()
        try connection.queue(
            """
            UPDATE device SET provider = $2, token = $3, p256dh = $4, auth = $5, platform = $6, environment = $7,
                locale = $8, zone = $9, permission = $10, registered_at = $11, last_seen_at = $12, registrar = $13,
                scope = $14, expires_at = $15
            WHERE row = $1
            """, Self.values(row, device, app))
    }

    private static func values(_ row: Int64, _ device: Device, _ app: AppName) -> [PostgresValue] {
        [
            .int64(row), .text(device.provider.name), .text(column(device.token, in: app)),
            .bytes(device.keys?.p256dh), .bytes(device.keys?.auth), .text(device.platform),
            .text(device.environment?.rawValue), .text(device.locale), .text(device.zone),
            .text(device.permission?.rawValue), .int64(device.registeredAt.milliseconds),
            .int64(device.lastSeenAt.milliseconds), .int64(device.registrar.rawValue), .text(device.scope),
            .int64(device.expiresAt?.milliseconds),
        ]
    }

    /// A named app's tokens stand with its name, so that two apps may have the same one. An awaited token names its
    /// owner anyway, and is found by its beginning.
    static func column(_ token: String, in app: AppName) -> String {
        token.hasPrefix(Device.awaitedPrefix) ? token : app.key(token)
    }

    func write(_ badge: DeviceRecord.Badge, row: Int64) throws {
        rows.facts.forgetDevices()
        try connection.queue(
            "UPDATE device SET badge = $1, badge_rule = $2 WHERE row = $3",
            [.int64(badge.number), .text(badge.rule.rawValue), .int64(row)])
    }

    func delete(row: Int64) throws {
        rows.facts.forgetDevices()
        try connection.queue("DELETE FROM device WHERE row = $1", [.int64(row)])
    }
}
