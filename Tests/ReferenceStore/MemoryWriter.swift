package import Deliveries
package import Store

/// Runs transactions over rows in memory, one after the other: what the group committer does, without its queue.
package final class MemoryWriter {
    package let rows: MemoryRows
    private let options: StoreOptions
    private let cachedInboxes: Int
    /// Whether others may have changed any row since the last transaction.
    private let isShared: Bool
    private var memory: WriterMemory
    private var trail = TrailRecorder()

    package init(_ rows: MemoryRows, options: StoreOptions, cachedInboxes: Int = 50_000, isShared: Bool = false) {
        (self.rows, self.options, self.cachedInboxes, self.isShared) = (rows, options, cachedInboxes, isShared)
        memory = WriterMemory(cachedInboxes: cachedInboxes)
    }

    /// Performs a transaction and keeps what it has changed; nothing is kept of one that throws.
    package func commit<Answer>(
        _ body: (OpenTransaction) throws -> Answer
    ) throws -> (answer: Answer, commit: Commit) {
        let before = rows.state
        if isShared { forgetRows() }
        let open = OpenTransaction(rows, options: options, memory: memory, trail: trail)
        do {
            let answer = try body(open)
            try open.flush()
            rows.turns.memory.commit()
            (memory, trail) = (open.memory, open.trail)
            return (answer, open.commit)
        } catch {
            rows.state = before
            rows.turns.memory.rollBack()
            forget()
            throw error
        }
    }

    /// Performs a transaction of which nothing is kept, not even in memory.
    package func rehearse<Answer>(_ body: (OpenTransaction) throws -> Answer) rethrows -> Answer {
        let (before, turns) = (rows.state, rows.turns)
        defer { (rows.state, rows.turns) = (before, turns) }
        rows.turns = PushTurnsInMemory(.empty, nil)
        return try body(
            OpenTransaction(rows, options: options, memory: WriterMemory(cachedInboxes: cachedInboxes)))
    }

    package var reads: any StoreReads { MemoryReads(memory: rows) }

    /// Forgets what others may have changed, and not how far this process has swept.
    private func forgetRows() {
        let earlier = memory
        forget()
        (memory.nextSweep, memory.trailSweep) = (earlier.nextSweep, earlier.trailSweep)
    }

    /// Forgets what the rows tell as well.
    package func forget() { memory = WriterMemory(cachedInboxes: cachedInboxes) }

    /// Forgets all that a process has in memory, leases among it.
    package func crash() {
        rows.turns.memory = PushMemory()
        forget()
    }
}
