import GRDB
import Inbox

/// What a transaction has decided, on its way to the disk.
final class TrailTables {
    let events: TrailEventTable
    let byActor: ActorNotifications
    private let steps: TrailStepTable
    private let sweep: TrailSweep

    /// - Parameter damage: hears of rows that cannot be read.
    init(_ db: Database, _ damage: DamageWatch) throws {
        events = try TrailEventTable(db, damage)
        byActor = try ActorNotifications(db)
        steps = try TrailStepTable(db)
        sweep = TrailSweep(db: db, damage: damage)
    }

    func write(_ recorder: TrailRecorder) throws {
        try events.write(recorder.gatherings)
        for (event, time) in recorder.repeats { try events.noteRepeat(of: event, at: time) }
        try steps.write(recorder.steps)
    }

    func sweep(
        _ progress: inout TrailSweep.Progress, at now: Timestamp, lifetime: Duration, keyLifetime: Duration
    ) throws -> TrailSweep.Step {
        try sweep.step(&progress, at: now, lifetime: lifetime, keyLifetime: keyLifetime)
    }

    /// Forgets what became of a person's notifications, at most `limit` steps; tells how many went. Decisions name an
    /// inbox by its number, which says nothing when the inbox is gone.
    func remove(inbox: Int64, limit: Int) throws -> Int { try steps.remove(inbox: inbox, limit: limit) }
}
