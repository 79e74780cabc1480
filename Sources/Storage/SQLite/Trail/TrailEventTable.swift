import Foundation
import GRDB
import Inbox
import JSON

/// Writes `trail_event`, and finds what is to be taken back.
final class TrailEventTable {
    /// Names a row: an event has one for each of its pages, from 0.
    struct Place: Sendable, Hashable {
        let event: String
        let page: Int64
    }

    /// A row of a keyed event, as taking it back needs it.
    struct Keyed {
        let place: Place
        let type: String
        let time: Timestamp
        let verdicts: TrailVerdicts
        let data: JSONObject?
        /// From so many of its recipients it has been taken back.
        let retracted: Int

        /// What it has published to feeds.
        var items: [(feed: String, offset: Int64)] { TrailEventTable.items(data) }
    }

    private let insertion: RowInsertion
    private let insertPage: Statement
    private let noteRepeat: Statement
    private let findKeyed: Statement
    private let findNewest: Statement
    private let findUnretracted: Statement
    private let writeProgress: Statement
    private let findRetracted: Statement
    private let findUser: Statement
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
        // An event whose first row is gone by now has none to add to.
        insertPage = try db.cachedStatement(
            sql: """
                INSERT INTO trail_event (event, page, publisher, key, type, accepted_at, verdicts, data)
                SELECT event, 1 + (SELECT max(page) FROM trail_event WHERE event = ?1), publisher, key, type, accepted_at,
                    ?2, data
                FROM trail_event WHERE event = ?1 AND page = 0
                """)
        noteRepeat = try db.cachedStatement(
            sql: "UPDATE trail_event SET repeats = repeats + 1, repeated_at = ? WHERE event = ? AND page = 0")
        let keyed = """
            SELECT event, page, type, coalesce(occurred_at, accepted_at), verdicts, data, retracted FROM trail_event
            WHERE publisher = ? AND key = ?
            """
        findKeyed = try db.cachedStatement(sql: "\(keyed) ORDER BY event DESC, page")
        findNewest = try db.cachedStatement(sql: "SELECT max(event) FROM trail_event WHERE publisher = ? AND key = ?")
        // In the order of the index: of a broadcast to everybody there are thousands.
        findUnretracted = try db.cachedStatement(
            sql: "\(keyed) AND retracted_at IS NULL ORDER BY event DESC, page DESC LIMIT 2")
        writeProgress = try db.cachedStatement(
            sql: "UPDATE trail_event SET retracted = ?, retracted_at = ? WHERE event = ? AND page = ?")
        findRetracted = try db.cachedStatement(
            sql: "SELECT 1 FROM trail_event WHERE event = ? AND (retracted > 0 OR retracted_at IS NOT NULL)")
        findUser = try db.cachedStatement(sql: "SELECT user FROM inbox WHERE id = ?")
    }

    func write(_ gatherings: [TrailRecorder.Gathering]) throws {
        // A later page asks for the rows before it.
        if gatherings.contains(where: { $0.head == nil }) {
            for gathering in gatherings {
                try gathering.head == nil ? writePage(gathering) : insert([gathering])
            }
        } else {
            try insert(gatherings)
        }
    }

    private func writePage(_ gathering: TrailRecorder.Gathering) throws {
        try insertPage.execute(arguments: [gathering.event, Data(writer.bytes(of: gathering.verdicts))])
    }

    private func insert(_ gatherings: [TrailRecorder.Gathering]) throws {
        try insertion.insert(gatherings) { Self.bind($0, &$1, &writer) }
    }

    /// - Parameter row: an event's first one.
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

    /// - Parameter data: as the column has it.
    static func items(_ data: JSONObject?) -> [(feed: String, offset: Int64)] {
        (data?["feeds"]?.array ?? []).compactMap { item in
            guard let pair = item.array, pair.count == 2, let feed = pair[0].string, let offset = pair[1].int else {
                return nil
            }
            return (feed, offset)
        }
    }

    func noteRepeat(of event: String, at now: Timestamp) throws {
        try noteRepeat.execute(arguments: [now.milliseconds, event])
    }

    // MARK: Taking back

    /// The rows of all events that came with this key, the newest event first.
    func keyed(_ key: String, by publisher: String) throws -> [Keyed] {
        try findKeyed.all([publisher, key], Keyed.init)
    }

    /// The newest event that came with this key; nil without any.
    func newest(_ key: String, by publisher: String) throws -> String? {
        try findNewest.first([publisher, key]) { try $0.optionalText(0) } ?? nil
    }

    /// The next two rows of this key's events that are not taken back to their end.
    func unretracted(_ key: String, by publisher: String) throws -> [Keyed] {
        try findUnretracted.all([publisher, key], Keyed.init)
    }

    /// - Parameter end: when the last recipient was reached; nil before that.
    func writeProgress(_ retracted: Int, end: Timestamp?, at place: Place) throws {
        try writeProgress.execute(arguments: [retracted, end?.milliseconds, place.event, place.page])
    }

    /// Whether the publisher has taken the event back, or is about to.
    func isRetracted(_ event: String) throws -> Bool { try findRetracted.first([event]) { _ in true } ?? false }

    /// Nil for a person who has been erased.
    func user(ofInbox id: Int64) throws -> UserID? {
        try findUser.first([id]) { UserID(known: try $0.text(0)) } ?? nil
    }
}

extension TrailEventTable.Keyed {
    fileprivate init(_ row: StoredRow) throws {
        guard let verdicts = try row.bytes(4).flatMap(TrailVerdicts.init(bytes:)) else {
            throw DamagedRow(table: "trail_event")
        }
        self.init(
            place: TrailEventTable.Place(event: try row.text(0), page: try row.int(1)), type: try row.text(2),
            time: Timestamp(milliseconds: try row.int(3)), verdicts: verdicts,
            data: try row.bytes(5).map { try JSONValue(parsing: $0) }?.object, retracted: Int(try row.int(6)))
    }
}
