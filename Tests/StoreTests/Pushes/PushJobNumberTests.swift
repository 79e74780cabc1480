import GRDB
import Testing

@testable import Deliveries
@testable import SQLiteStore
@testable import Store

struct PushJobNumberTests {
    private static let lastDevice = PushJobNumber.devices.upperBound
    private static let lastNotification = PushJobNumber.notifications.upperBound

    /// As rows lie in the table: badge pushes first, and the last notification that there is room for.
    private static let inOrder: [(device: Int64, notification: Int64)] = [
        (1, -2), (1, -1), (1, 1), (1, 2), (1, lastNotification), (2, -2), (2, -1), (2, 1),
        (lastDevice - 1, lastNotification), (lastDevice, -2), (lastDevice, 1), (lastDevice, lastNotification),
    ]

    @Test func `there is room for 2^29 - 1 devices, and for nearly 2^34 notifications of each`() {
        #expect(PushJobNumber.devices == 1...((1 << 29) - 1))
        #expect(PushJobNumber.notifications == 1...((1 << 34) - 3))
    }

    @Test func `a number tells its device and its notification`() {
        for (device, notification) in Self.inOrder {
            let number = PushJobNumber(device: device, notification: notification)
            #expect((number.device, number.notification) == (device, notification))
        }
    }

    @Test func `numbers are in the order of devices and of their notifications`() {
        let numbers = Self.inOrder.map { PushJobNumber(device: $0.device, notification: $0.notification).rawValue }
        #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
    }

    @Test(arguments: [Int64.min, .min + 1, -1, 0, .max - 1, .max])
    func `a damaged row's number can be read`(_ rawValue: Int64) {
        let number = PushJobNumber(rawValue: rawValue)
        #expect(PushJobNumber(device: number.device, notification: number.notification) == number)
    }

    @Test func `SQL finds each device's rows, and no others, up to the last number there is`() throws {
        let database = try DatabaseQueue()
        try database.write { db in
            try db.execute(sql: "CREATE TABLE push_job (number INTEGER PRIMARY KEY) STRICT")
            for (device, notification) in Self.inOrder {
                try db.execute(
                    sql: "INSERT INTO push_job VALUES (\(PushJobNumber.of()))", arguments: [device, notification])
            }
            let stored = try Int64.fetchAll(db, sql: "SELECT number FROM push_job ORDER BY number")
            #expect(
                stored == Self.inOrder.map { PushJobNumber(device: $0.device, notification: $0.notification).rawValue })
            for (device, rows) in Dictionary(grouping: Self.inOrder, by: \.device) {
                let found = try Int64.fetchAll(
                    db,
                    sql: """
                        SELECT \(PushJobNumber.notification()) FROM push_job WHERE \(PushJobNumber.isOf()) ORDER BY number
                        """, arguments: [device])
                #expect(found == rows.map(\.notification))
            }
        }
    }
}
