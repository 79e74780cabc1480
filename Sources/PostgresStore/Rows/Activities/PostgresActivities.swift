import Deliveries
import Inbox
import Postgres
import Push
import Store

/// Live Activities on devices: the tables `activity` and `activity_device`.
///
/// Nothing is locked here: the lock of the person's inbox is taken before.
final class PostgresActivities: PostgresPart, ActivityRows {
    // MARK: Devices

    func device(_ row: Int64) throws -> ActivityDevice? {
        try connection.run("SELECT state FROM activity_device WHERE device = $1", [.int64(row)])
            .first.flatMap { ActivityDevice(json: try $0.bytes(0)) }
    }

    func write(_ device: ActivityDevice, row: Int64) throws {
        try connection.queue(
            """
            INSERT INTO activity_device (device, state) VALUES ($1, $2)
            ON CONFLICT (device) DO UPDATE SET state = excluded.state
            """, [.int64(row), .bytes(device.json)])
    }

    // MARK: Activities

    func activity(_ place: ActivityPlace) throws -> DeviceActivity? {
        try connection.run(
            "SELECT state, due FROM activity WHERE device = $1 AND key = $2", [.int64(place.device), .text(place.key)]
        ).first.flatMap(Self.read)
    }

    func activities(device: Int64) throws -> [(key: String, activity: DeviceActivity)] {
        try connection.run("SELECT state, due, key FROM activity WHERE device = $1 ORDER BY key", [.int64(device)])
            .compactMap { row in
                let key = try row.text(2)
                return try Self.read(row).map { (key, $0) }
            }
    }

    private static func read(_ row: PostgresRow) throws -> DeviceActivity? {
        DeviceActivity(
            json: try row.bytes(0), due: try row.int64OrNil(1).map(Timestamp.init(milliseconds:)))
    }

    func write(_ activity: DeviceActivity, at place: ActivityPlace, inbox: Int64, _ provider: Device.Provider) throws {
        try connection.queue(
            """
            INSERT INTO activity (device, key, inbox, provider, due, is_sending, ends_at, state)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            ON CONFLICT (device, key) DO UPDATE SET inbox = excluded.inbox, provider = excluded.provider,
                due = excluded.due, is_sending = excluded.is_sending, ends_at = excluded.ends_at,
                state = excluded.state
            """,
            [
                .int64(place.device), .text(place.key), .int64(inbox), .int64(Int64(provider.place)),
                .int64(activity.due?.milliseconds), .bool(activity.isSending), .time(activity.end),
                .bytes(activity.json),
            ])
    }

    func delete(_ place: ActivityPlace) throws {
        try connection.queue(
            "DELETE FROM activity WHERE device = $1 AND key = $2", [.int64(place.device), .text(place.key)])
    }

    func delete(device: Int64) throws {
        try connection.queue("DELETE FROM activity WHERE device = $1", [.int64(device)])
        try connection.queue("DELETE FROM activity_device WHERE device = $1", [.int64(device)])
    }

    func delete(_ limit: Int, endedBefore time: Timestamp) throws {
        // What another transaction is changing is not over.
        try connection.queue(
            """
            DELETE FROM activity WHERE (device, key) IN (
                SELECT device, key FROM activity WHERE ends_at < $1 ORDER BY ends_at LIMIT $2 FOR UPDATE SKIP LOCKED
            )
            """, [.time(time), .int64(Int64(limit))])
    }

    // MARK: Pushes

    func due(_ limit: Int, for provider: Device.Provider, at now: Timestamp) throws -> [DueActivity] {
        try connection.run(
            """
            SELECT device, key, inbox FROM activity WHERE provider = $1 AND due <= $2
            ORDER BY due, device, key LIMIT $3
            """, [.int64(Int64(provider.place)), .time(now), .int64(Int64(limit))]
        ).map { row in
            DueActivity(
                place: ActivityPlace(device: try row.int64(0), key: try row.text(1)), inbox: try row.int64(2))
        }
    }

    func nextDue(for provider: Device.Provider) throws -> Timestamp? {
        try connection.run(
            "SELECT due FROM activity WHERE provider = $1 AND due IS NOT NULL ORDER BY due LIMIT 1",
            [.int64(Int64(provider.place))]
        ).first.map { Timestamp(milliseconds: try $0.int64(0)) }
    }

    func endLeases(at now: Timestamp) throws {
        try connection.queue("UPDATE activity SET due = $1 WHERE is_sending", [.time(now)])
    }

    func move(by span: Duration) throws {
        try connection.queue(
            "UPDATE activity SET due = due + $1 WHERE due IS NOT NULL", [.int64(span.milliseconds)])
    }
}
