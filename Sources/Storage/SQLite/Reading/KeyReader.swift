import GRDB
import Inbox

/// Reads what idempotency keys stand for, as of the snapshot that `db` is in.
struct KeyReader {
    private let db: Database

    init(_ db: Database) { self.db = db }

    /// Nil if one of them is not known, or its key is another event's.
    ///
    /// - Parameter past: events that were taken in then, or before, have given their keys free.
    func outcomes(
        of events: [KeyedEvent], by publisher: String, after past: Timestamp
    ) throws -> [PublishOutcome]? {
        let statement = try db.cachedStatement(sql: KeyTable.findSQL)
        let broadcasts = BroadcastReader(db)
        var outcomes: [PublishOutcome] = []
        outcomes.reserveCapacity(events.count)
        for event in events {
            let use = try statement.first([publisher, event.key, past.milliseconds], KeyTable.Use.init)
            guard let use, use.fingerprint == event.fingerprint else { return nil }
            // While the event is on its way to its people, its counts are not final.
            let broadcast = try broadcasts.broadcast(of: use.event)
            outcomes.append(broadcast.map { PublishOutcome($0, isReplay: true) } ?? use.outcome)
        }
        return outcomes
    }
}
