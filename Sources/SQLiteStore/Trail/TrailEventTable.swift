import Deliveries
import GRDB
import Inbox
import JSON

/// Writes `trail_event`, and finds the rows of events that are to be taken back.
final class TrailEventTable {
    private static let naming = RowNaming(table: "trail_event")

    private let insertion: RowInsertion
    private let insertPage: Statement
    private let noteRepeat: Statement
    private let findKeyed: Statement
    private let findNewest: Statement
    private let findUnretracted: Statement
    private let writeProgress: Statement
    private let findRetracted: Statement
    private let damage: DamageWatch
    private var writer = TrailVerdicts.Writer()

    /// - Parameter damage: hears of rows that cannot be read.
    init(_ db: Database, _ damage: DamageWatch) throws {
        self.damage = damage
        insertion = RowInsertion(
            db, into: "trail_event",
            """
            event, page, publisher, key, type, actor, occurred_at, accepted_at, verdicts, data, \
            repeats, repeated_at, retracted, retracted_at, fingerprint, recipients, created, updated, suppressed
            """, values: "?, 0, ?, ?, ?, ?, ?, ?, ?, ?, 0, NULL, 0, NULL, ?, ?, ?, ?, ?")
        // If the event's first row is gone by now, nothing is inserted.
        insertPage = try db.statement(
            sql: """
                INSERT INTO trail_event
                    (event, page, publisher, key, type, actor, occurred_at, accepted_at, verdicts, data)
                SELECT event, 1 + (SELECT max(page) FROM trail_event WHERE event = ?1), publisher, key, type, actor,
                    occurred_at, accepted_at, ?2, data
                FROM trail_event WHERE event = ?1 AND page = 0
                """)
        noteRepeat = try db.statement(
            sql: "UPDATE trail_event SET repeats = repeats + 1, repeated_at = ? WHERE event = ? AND page = 0")
        let keyed = """
            SELECT event, page, type, coalesce(occurred_at, accepted_at), verdicts, data, retracted FROM trail_event
            WHERE publisher = ? AND key = ?
            """
        findKeyed = try db.statement(sql: "\(keyed) ORDER BY event DESC, page")
        findNewest = try db.statement(sql: "SELECT max(event) FROM trail_event WHERE publisher = ? AND key = ?")
        // In the order of the index: a broadcast to everybody has thousands of pages.
        findUnretracted = try db.statement(
            sql: "\(keyed) AND retracted_at IS NULL ORDER BY event DESC, page DESC")
        writeProgress = try db.statement(
            sql: "UPDATE trail_event SET retracted = ?, retracted_at = ? WHERE event = ? AND page = ?")
        findRetracted = try db.statement(
            sql: "SELECT 1 FROM trail_event WHERE event = ? AND (retracted > 0 OR retracted_at IS NOT NULL)")
    }

    func write(_ gatherings: [TrailRecorder.Gathering]) throws {
        // Inserting a later page reads the rows before it.
        if gatherings.contains(where: { $0.head == nil }) {
            for gathering in gatherings {
                try gathering.head == nil ? writePage(gathering) : insert([gathering])
            }
        } else {
            try insert(gatherings)
        }
    }

    private func writePage(_ gathering: TrailRecorder.Gathering) throws {
        try insertPage.execute(arguments: [gathering.event, writer.bytes(of: gathering.verdicts)])
    }

    private func insert(_ gatherings: [TrailRecorder.Gathering]) throws {
        try insertion.insert(gatherings) { Self.bind($0, &$1, &writer) }
    }

    /// - Parameter row: an event's first page.
    private static func bind(
        _ row: UnsafePointer<TrailRecorder.Gathering>, _ arguments: inout StatementArgumentWriter,
        _ writer: inout TrailVerdicts.Writer
    ) {
        precondition(row.pointee.head != nil, "later pages are written otherwise")
        arguments.append(row.pointee.event)
        arguments.append(row.pointee.head?.publisher)
        arguments.append(row.pointee.head?.key)
        arguments.append(row.pointee.head?.type)
        arguments.append(row.pointee.head?.actor)
        arguments.append(row.pointee.head?.occurredAt?.milliseconds)
        arguments.append(row.pointee.head?.acceptedAt.milliseconds)
        arguments.append(writer.bytes(of: row.pointee.verdicts))
        arguments.append(row.pointee.head?.data.map { JSONValue.object($0).encoded })
        arguments.append(row.pointee.use.map { Int64(bitPattern: $0.fingerprint) })
        arguments.append(row.pointee.use.map { Int64($0.recipients) })
        arguments.append(row.pointee.use.map { Int64($0.created) })
        arguments.append(row.pointee.use.map { Int64($0.updated) })
        arguments.append(row.pointee.use.map { Int64($0.suppressed) })
    }

    func noteRepeat(of event: String, at now: Timestamp) throws {
        try noteRepeat.execute(arguments: [now.milliseconds, event])
    }

    // MARK: Taking back

    // Rows that cannot be read are left out: what they name stays as it is.

    /// The rows of all events with this key, the newest event first.
    func keyed(_ key: String, by publisher: String) throws -> [TrailedKey] {
        try findKeyed.sound([publisher, key], of: Self.naming, damage, TrailedKey.init)
    }

    /// The newest event with this key; nil without any.
    func newest(_ key: String, by publisher: String) throws -> String? {
        try findNewest.first([publisher, key]) { row in
            try damage.sound(Self.naming.row(row)) { try row.optionalText(0) } ?? nil
        } ?? nil
    }

    /// The next two rows of this key's events that are not completely taken back.
    func unretracted(_ key: String, by publisher: String) throws -> [TrailedKey] {
        try findUnretracted.sound([publisher, key], of: Self.naming, damage, limit: 2, TrailedKey.init)
    }

    /// - Parameter end: when the last recipient was reached; nil before that.
    func writeProgress(_ retracted: Int, end: Timestamp?, at place: TrailPlace) throws {
        try writeProgress.execute(arguments: [retracted, end?.milliseconds, place.event, place.page])
    }

    /// Whether the publisher has taken back the event, or has begun to.
    func isRetracted(_ event: String) throws -> Bool { try findRetracted.first([event]) { _ in true } ?? false }
}

extension TrailedKey {
    fileprivate init(_ row: StoredRow) throws {
        var row = CheckedRow(row)
        let place = TrailPlace(event: row.text(0), page: row.count(1))
        let (type, time, retracted) = (row.text(2), row.time(3), Int(row.count(6)))
        let verdicts = row.optionalBytes(4).flatMap(TrailVerdicts.init(bytes:))
        let json = row.optionalBytes(5)
        let data = try json.map { try JSONValue(parsing: $0) }?.object
        guard let verdicts, !row.isDamaged, json == nil || data != nil else { throw DamagedColumn() }
        self.init(place: place, type: type, time: time, verdicts: verdicts, data: data, retracted: retracted)
    }
}
