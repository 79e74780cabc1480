import GRDB
import Push

/// Takes jobs out of the queue of which many lie side by side: a statement for each run of them. To begin and end a
/// statement, and to find its row, takes SQLite about as long as to take the row out.
struct PushJobRuns {
    private let waiting: WaitingPushes
    private let jobs: PushJobIndex
    private let find: DirectStatement
    private let delete: DirectStatement

    init(_ db: Database, _ waiting: WaitingPushes, _ jobs: PushJobIndex) throws {
        (self.waiting, self.jobs) = (waiting, jobs)
        find = try DirectStatement(
            db, sql: "SELECT place, number FROM push_job WHERE place BETWEEN ? AND ? ORDER BY place LIMIT ?")
        delete = try DirectStatement(db, sql: "DELETE FROM push_job WHERE place BETWEEN ? AND ?")
    }

    /// Takes out those that stand where they are thought to be, but for some between which too many others lie.
    /// - Parameters:
    ///   - places: in their order.
    ///   - provider: of all of them.
    /// - Returns: of each whether it was taken out.
    func delete(_ places: [PushTurns.Place], _ provider: Device.Provider) throws -> [Bool] {
        var isDeleted = [Bool](repeating: false, count: places.count)
        guard let first = places.first, let last = places.last else { return isDeleted }
        // As many others may lie between them as there are of them: that bounds what is read where the queue is long.
        // What is cut off is settled alone.
        let rows = try find.all(
            { arguments in
                arguments.append(first.position.rawValue)
                arguments.append(last.position.rawValue)
                arguments.append(places.count * 2)
            }, PushTurns.Place.init)
        var run: ClosedRange<QueuePlace>?
        var place = places.startIndex
        for row in rows {
            // What does not stand there any more leaves no row that would end a run.
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
