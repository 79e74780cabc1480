import Deliveries
import GRDB
import Inbox
import Push
import Store

/// The statements that store what devices show.
///
/// An accepted push leaves a mark until its notification is read or removed: only marks tell what may be on a screen.
/// All marks of a device are in one row, about ten bytes each, so that many pushes to many devices change few pages.
///
/// A class, for the reason of ``PushJobTable``.
final class PushMarkTable: PushMarkRows {
    /// How many rows one statement writes at most.
    private static let mostAtOnce = 16

    private let providers: ProviderList
    private let damage: DamageWatch
    private let find: Statement
    private let append: Statement
    private let appendEach: StatementsByCount
    private let write: Statement
    private let delete: Statement
    /// The bytes of a mark on its way to its row.
    private var bytes: [UInt8] = []

    /// - Parameter damage: hears of marks that cannot be read.
    init(_ db: Database, _ providers: ProviderList, _ damage: DamageWatch) throws {
        (self.providers, self.damage) = (providers, damage)
        find = try Statement(db, sql: "SELECT marks FROM push_mark WHERE device = ?")
        append = try Statement(db, sql: Self.append(to: 1))
        appendEach = StatementsByCount(db, most: Self.mostAtOnce, roomEach: 64, sql: Self.append)
        write = try db.statement(sql: "UPDATE push_mark SET marks = ?2 WHERE device = ?1")
        delete = try db.statement(sql: "DELETE FROM push_mark WHERE device = ?")
    }

    private static func append(to devices: Int) -> String {
        // The operator makes a text of two blobs, but keeps their bytes.
        """
        INSERT INTO push_mark (device, marks) VALUES \(Array(repeating: "(?, ?)", count: devices).joined(separator: ", "))
        ON CONFLICT (device) DO UPDATE SET marks = CAST(marks || excluded.marks AS BLOB)
        """
    }

    /// A device's marks. Unreadable marks are deleted, as if the device showed nothing: they must not hold back other
    /// pushes.
    func marks(device: Int64) throws -> [PushMark] {
        guard let found = try find.first({ $0.append(device) }, { try Self.marks($0, of: providers) }) else {
            return []
        }
        if let marks = found { return marks }
        damage.leaveOut(DamagedRow(table: "push_mark", key: "\(device)"))
        try delete.execute(arguments: [device])
        return []
    }

    /// Nil if the marks cannot be read.
    /// - Parameter column: the index of `marks` in the row.
    static func marks(_ row: StoredRow, of providers: ProviderList, column: Int = 0) throws -> [PushMark]? {
        try row.bytes(column).flatMap { [PushMark](bytes: $0, of: providers) }
    }

    /// Adds marks of notifications that have none on the device.
    func add(_ marks: [PushMark], device: Int64) throws {
        bytes.removeAll(keepingCapacity: true)
        for mark in marks { mark.append(to: &bytes) }
        guard !bytes.isEmpty else { return }
        try append.execute { arguments in
            arguments.append(device)
            arguments.append(bytes)
        }
    }

    /// Adds one mark to each of several devices, of notifications that have none there.
    func add(_ marks: [(device: Int64, mark: PushMark)]) throws {
        var start = marks.startIndex
        while start < marks.endIndex {
            let some = marks[start...].prefix(Self.mostAtOnce)
            try appendEach(some.count).execute { arguments in
                for place in some.indices {
                    bytes.removeAll(keepingCapacity: true)
                    some[place].mark.append(to: &bytes)
                    arguments.append(some[place].device)
                    arguments.append(bytes)
                }
            }
            start = some.endIndex
        }
    }

    /// Writes all marks of a device; none: it shows nothing.
    func write(_ marks: [PushMark], device: Int64) throws {
        if marks.isEmpty { return try delete.execute(arguments: [device]) }
        try write.execute(arguments: [device, marks.bytes])
    }
}
