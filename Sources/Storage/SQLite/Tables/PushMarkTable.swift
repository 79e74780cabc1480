import Foundation
import GRDB
import Inbox
import Push

/// The statements that keep what devices show.
///
/// An accepted push leaves a mark until its notification is read or removed: only so do we know what may be on a
/// screen. All of a device stand in one row, about ten bytes each, so that many pushes to many devices change few
/// pages.
///
/// By reference, as ``PushJobTable``.
final class PushMarkTable {
    /// So many rows by one statement.
    private static let mostAtOnce = 16

    /// Nobody reads what is only pushed, so its marks would gather.
    private static let pushOnlyKept = 50

    private let damage: DamageWatch
    private let find: DirectStatement
    private let append: DirectStatement
    private let appendEach: StatementsByCount
    private let write: Statement
    private let delete: Statement
    /// Of a mark on its way to its row.
    private var bytes: [UInt8] = []

    /// - Parameter damage: hears of marks that cannot be read.
    init(_ db: Database, _ damage: DamageWatch) throws {
        self.damage = damage
        find = try DirectStatement(db, sql: "SELECT marks FROM push_mark WHERE device = ?")
        append = try DirectStatement(db, sql: Self.append(to: 1))
        appendEach = StatementsByCount(db, most: Self.mostAtOnce, roomEach: 64, sql: Self.append)
        write = try db.cachedStatement(sql: "UPDATE push_mark SET marks = ?2 WHERE device = ?1")
        delete = try db.cachedStatement(sql: "DELETE FROM push_mark WHERE device = ?")
    }

    private static func append(to devices: Int) -> String {
        // The operator makes a text of two blobs, but leaves their bytes alone.
        """
        INSERT INTO push_mark (device, marks) VALUES \(Array(repeating: "(?, ?)", count: devices).joined(separator: ", "))
        ON CONFLICT (device) DO UPDATE SET marks = CAST(marks || excluded.marks AS BLOB)
        """
    }

    /// A device's marks.
    ///
    /// Those that cannot be read go, as if the device showed nothing: they are no reason to keep others' pushes back.
    func marks(device: Int64) throws -> [PushMark] {
        guard let found = try find.first({ $0.append(device) }, Self.marks) else { return [] }
        if let marks = found { return marks }
        damage.leaveOut(DamagedRow(table: "push_mark", key: "\(device)"))
        try delete.execute(arguments: [device])
        return []
    }

    /// Nil if they cannot be read.
    /// - Parameter row: of `marks`.
    static func marks(_ row: StoredRow) throws -> [PushMark]? { try row.bytes(0).flatMap([PushMark].init(bytes:)) }

    func mark(device: Int64, notification: Int64) throws -> PushMark? {
        try marks(device: device).first { $0.notification == notification }
    }

    /// Adds the marks of notifications that have none on the device.
    func add(_ marks: some Sequence<PushMark>, device: Int64) throws {
        bytes.removeAll(keepingCapacity: true)
        for mark in marks { mark.append(to: &bytes) }
        guard !bytes.isEmpty else { return }
        try append.execute { arguments in
            arguments.append(device)
            arguments.append(bytes)
        }
    }

    /// As above, of one.
    func add(_ mark: PushMark, device: Int64) throws { try add(CollectionOfOne(mark), device: device) }

    /// As above, a mark each of several devices.
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

    /// Adds a mark, or writes it in the place of the one that its notification has; that one's time stays.
    func put(_ mark: PushMark, device: Int64) throws {
        var marks = try marks(device: device)
        guard let place = marks.firstIndex(where: { $0.notification == mark.notification }) else {
            return try add(mark, device: device)
        }
        let time = marks[place].sentAt
        marks[place] = mark
        marks[place].sentAt = time ?? mark.sentAt
        try write(marks, device: device)
    }

    /// Takes out the marks of these notifications.
    func take(_ notifications: Set<Int64>, device: Int64) throws -> [PushMark] {
        let marks = try marks(device: device)
        let taken = marks.filter { notifications.contains($0.notification) }
        if !taken.isEmpty {
            try write(marks.filter { !notifications.contains($0.notification) }, device: device)
        }
        return taken
    }

    /// Takes out all but the newest marks up to a notification: what lies so deep in a screen's list nobody looks for.
    func trim(device: Int64, upTo notification: Int64, keeping count: Int) throws -> [PushMark] {
        let marks = try marks(device: device)
        // Nobody reads what is only pushed: it must not take the place of what is in the inbox.
        let isPushOnly = PushOnlyNumber.isOne(notification)
        let kept = isPushOnly ? min(count, Self.pushOnlyKept) : count
        // Most devices show fewer.
        guard marks.count > kept else { return [] }
        let notifications = marks.map(\.notification)
            .filter { $0 <= notification && PushOnlyNumber.isOne($0) == isPushOnly }.sorted()
        return try take(Set(notifications.dropLast(kept)), device: device)
    }

    /// Forgets all that a device shows, and returns it.
    func takeAll(device: Int64) throws -> [PushMark] {
        let marks = try marks(device: device)
        if !marks.isEmpty { try delete.execute(arguments: [device]) }
        return marks
    }

    private func write(_ marks: [PushMark], device: Int64) throws {
        if marks.isEmpty { return try delete.execute(arguments: [device]) }
        try write.execute(arguments: [device, Data(marks.bytes)])
    }
}
