import Deliveries
import GRDB
import Push

/// Deletes jobs that mostly lie side by side in the queue, with one statement for each run. To begin and end a
/// statement, and to find its row, takes SQLite about as long as deleting the row.
struct PushJobRuns {
    private let waiting: WaitingPushes
    private let jobs: PushJobIndex
    private let find: Statement
    private let delete: Statement

    init(_ db: Database, _ waiting: WaitingPushes, _ jobs: PushJobIndex) throws {
        (self.waiting, self.jobs) = (waiting, jobs)
        find = try Statement(
            db, sql: "SELECT place, number FROM push_job WHERE place BETWEEN ? AND ? ORDER BY place LIMIT ?")
        delete = try Statement(db, sql: "DELETE FROM push_job WHERE place BETWEEN ? AND ?")
    }

    /// Deletes the jobs that stand at these places, unless too many others lie between them.
    /// - Parameters:
    ///   - places: in order.
    ///   - provider: that of all of them.
    /// - Returns: for each place whether its job was deleted.
    func delete(_ places: [PushTurns.Place], _ provider: Device.Provider) throws -> [Bool] {
        var isDeleted = [Bool](repeating: false, count: places.count)
        guard let first = places.first, let last = places.last else { return isDeleted }
        // Reads at most as many other rows as there are places, which bounds the work in a long queue. Jobs that are
        // cut off are settled alone.
        let rows = try find.all(
            { arguments in
                arguments.append(first.position.rawValue)
                arguments.append(last.position.rawValue)
                arguments.append(places.count * 2)
            }, PushTurns.Place.init)
        var run: ClosedRange<QueuePlace>?
        var place = places.startIndex
        for row in rows {
            // A place without its job has no row that would end a run.
            while place < places.endIndex, places[place] < row { place += 1 }
            if place < places.endIndex, places[place] == row {
                isDeleted[place] = true
                jobs.remove(row)
                run = (run?.lowerBound ?? row.position)...row.position
            } else {
                try delete(run.take(), provider)
            }
        }
        try delete(run, provider)
        return isDeleted
    }

    private func delete(_ run: ClosedRange<QueuePlace>?, _ provider: Device.Provider) throws {
        guard let run else { return }
        try delete.execute { arguments in
            arguments.append(run.lowerBound.rawValue)
            arguments.append(run.upperBound.rawValue)
        }
        waiting.changed(by: -delete.changedRows, of: provider)
    }
}
