import Deliveries
import GRDB
import Inbox
import Push
import Store

/// Reads devices, as of the snapshot that `db` is in.
struct DeviceReader: DeviceReads {
    private let db: Database
    private let providers: ProviderList
    private let damage: DamageWatch

    init(_ db: Database, _ providers: ProviderList, _ damage: DamageWatch) {
        (self.db, self.providers, self.damage) = (db, providers, damage)
    }

    func devices(of user: UserID) throws -> [Device] {
        let statement = try db.statement(
            sql: """
                SELECT \(DeviceRecord.columns) FROM device WHERE inbox = (SELECT id FROM inbox WHERE user = ?)
                ORDER BY last_seen_at DESC, row DESC
                """)
        return try statement.sound([user.key], of: RowNaming(table: "device"), damage) { row in
            let record = DeviceRecord(row, providers)
            if record.isDamaged { throw DamagedRow(table: "device", key: "\(record.row)") }
            var device = record.device
            device.badge = record.badge?.number
            return device
        }
    }

    func installation(ofDevice id: String, app: String, of user: UserID?, in space: AppName) throws -> Installation? {
        let statement = try db.statement(
            sql: """
                SELECT user, device.app FROM device JOIN inbox ON inbox.id = device.inbox
                WHERE device.id = ?1 AND (?2 = '' OR device.app = '' OR device.app = ?2) AND (?3 IS NULL OR user = ?3)
                    AND inbox.app IS ?4
                ORDER BY ?3 IS NULL AND registrar = \(Device.Registrar.person.rawValue), device.app <> ?2, last_seen_at DESC, row DESC LIMIT 1
                """)
        return try statement.first([id, app, user?.key, space.column]) { row in
            Installation(user: try UserID(stored: row.text(0)), app: try row.text(1))
        }
    }

    func device(of provider: Device.Provider, token: String, in space: AppName) throws -> OwnedDevice? {
        let statement = try db.statement(
            sql: """
                SELECT \(DeviceRecord.columns), user FROM device JOIN inbox ON inbox.id = device.inbox
                WHERE provider = ? AND token = ?
                """)
        let row = RowNaming(table: "device")
        return try statement.sound([provider.name, DeviceTable.column(token, in: space)], of: row, damage) { row in
            let record = DeviceRecord(row, providers)
            if record.isDamaged { throw DamagedRow(table: "device", key: "\(record.row)") }
            return OwnedDevice(user: try UserID(stored: row.text(DeviceRecord.columnCount)), device: record.device)
        }.first
    }
}
