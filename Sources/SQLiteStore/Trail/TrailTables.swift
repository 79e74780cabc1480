import Deliveries
import GRDB
import Inbox

/// Writes the decisions of a transaction.
final class TrailTables: TrailRows {
    private let events: TrailEventTable
    private let steps: TrailStepTable
    private let sweep: TrailSweepTable

    /// - Parameter damage: hears of rows that cannot be read.
    init(_ db: Database, _ damage: DamageWatch) throws {
        events = try TrailEventTable(db, damage)
        steps = try TrailStepTable(db)
        sweep = TrailSweepTable(db: db, damage: damage)
    }

    func keyed(_ key: String, by publisher: String) throws -> [TrailedKey] { try events.keyed(key, by: publisher) }
    func newest(_ key: String, by publisher: String) throws -> String? { try events.newest(key, by: publisher) }
    func unretracted(_ key: String, by publisher: String) throws -> [TrailedKey] {
        try events.unretracted(key, by: publisher)
    }
    func isRetracted(_ event: String) throws -> Bool { try events.isRetracted(event) }
    func writeProgress(_ retracted: Int, end: Timestamp?, at place: TrailPlace) throws {
        try events.writeProgress(retracted, end: end, at: place)
    }

    func write(_ recorder: TrailRecorder) throws {
        try events.write(recorder.gatherings)
        for (event, time) in recorder.repeats { try events.noteRepeat(of: event, at: time) }
        try steps.write(recorder.steps)
    }

    func events(after place: TrailPlace, limit: Int) throws -> [SweptEvent] {
        try sweep.events(after: place, limit: limit)
    }
    func verdicts(at place: TrailPlace) throws -> TrailVerdicts? { try sweep.verdicts(at: place) }
    func write(_ verdicts: TrailVerdicts, at place: TrailPlace) throws { try sweep.write(verdicts, at: place) }
    func remove(at place: TrailPlace) throws { try sweep.remove(at: place) }
    func removeSteps(before time: Timestamp, limit: Int) throws -> Int {
        try sweep.removeSteps(before: time, limit: limit)
    }

    /// Removes at most `limit` steps of a person's notifications, and returns how many it removed. Decisions may stay:
    /// they name an inbox by its number, which says nothing when the inbox is gone.
    func remove(inbox: Int64, limit: Int) throws -> Int { try steps.remove(inbox: inbox, limit: limit) }
}
