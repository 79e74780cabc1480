import Deliveries
import Inbox
import Postgres
import Push
import Store

/// Reads devices.
struct PostgresDeviceReads: DeviceReads {
    let rows: PostgresRows

    init(_ rows: PostgresRows) { self.rows = rows }

    private static let ofUser = PostgresStatement(
        composed: """
            SELECT \(DeviceRecord.columns) FROM device WHERE inbox = (SELECT id FROM inbox WHERE "user" = $1)
            ORDER BY last_seen_at DESC, row DESC
            """)

    func devices(of user: UserID) throws -> [Device] {
        try rows.connection.run(Self.ofUser, [.text(user.key)]).compactMap { row in
            let record = try DeviceRecord(row, rows.providers)
            if record.isDamaged { return nil }
            var device = record.device
            device.badge = record.badge?.number
            return device
        }
    }

    func installation(ofDevice id: String, app: String, of user: UserID?, in space: AppName) throws -> Installation? {
        let found = try rows.connection.run(
            """
            SELECT inbox."user", device.app FROM device JOIN inbox ON inbox.id = device.inbox
            WHERE device.id = $1 AND ($2 = '' OR device.app = '' OR device.app = $2)
                AND ($3 IS NULL OR inbox."user" = $3) AND inbox.app IS NOT DISTINCT FROM $4
            ORDER BY $3 IS NULL AND device.registrar = $5, device.app <> $2, device.last_seen_at DESC, device.row DESC
            LIMIT 1
            """,
            [
                .text(id), .text(app), .text(user?.key), .text(space.isUnnamed ? nil : space.text),
                .int64(Device.Registrar.person.rawValue),
            ])
        guard let row = found.first, let owner = UserID(key: try row.text(0)) else { return nil }
        return Installation(user: owner, app: try row.text(1))
    }

    private static let byToken = PostgresStatement(
        composed: """
            SELECT \(DeviceRecord.columns), inbox."user" FROM device JOIN inbox ON inbox.id = device.inbox
            WHERE provider || ' ' || token = $1 || ' ' || $2
            """)

    func device(of provider: Device.Provider, token: String, in space: AppName) throws -> OwnedDevice? {
        let values: [PostgresValue] = [.text(provider.name), .text(PostgresDevices.column(token, in: space))]
        guard let row = try rows.connection.run(Self.byToken, values).first,
            let user = UserID(key: try row.text(DeviceRecord.columnCount))
        else { return nil }
        let record = try DeviceRecord(row, rows.providers)
        return record.isDamaged ? nil : OwnedDevice(user: user, device: record.device)
    }
}
