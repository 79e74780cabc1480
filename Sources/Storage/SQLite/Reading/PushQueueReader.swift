import GRDB
import Push

/// Reads what of the queue of pushes is kept in memory from then on.
struct PushQueueReader {
    private let walk: DirectStatement

    init(_ db: Database) throws { walk = try DirectStatement(db, sql: "SELECT place, number FROM push_job") }

    func read() throws -> WaitingQueue {
        var queue = WaitingQueue()
        try walk.forEach(
            { _ in },
            { row in
                let position = QueuePlace(rawValue: try row.int(0))
                if let provider = position.provider { queue.counts[provider] += 1 }
                // A damaged row is none that anybody could ask for.
                guard let number = try? row.int(1) else { return }
                if let double = queue.places.put(PushJobNumber(rawValue: number), at: position) {
                    queue.doubles.append(double)
                }
            })
        return queue
    }
}
