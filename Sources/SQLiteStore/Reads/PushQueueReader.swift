import Deliveries
import GRDB
import Push

/// Reads the data about the queue of pushes that is kept in memory from then on.
struct PushQueueReader {
    private let walk: Statement

    init(_ db: Database) throws { walk = try db.statement(sql: "SELECT place, number FROM push_job") }

    func read() throws -> WaitingQueue {
        var queue = WaitingQueue()
        try walk.forEach(
            { _ in },
            { row in
                let position = QueuePlace(rawValue: try row.int(0))
                queue.counts.add(1, ofPlace: position.provider)
                // A damaged row's job has no number to ask for.
                guard let number = try? row.int(1) else { return }
                if let double = queue.places.put(PushJobNumber(rawValue: number), at: position) {
                    queue.doubles.append(double)
                }
            })
        return queue
    }
}
