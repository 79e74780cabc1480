/// Jobs that wait for a reader, and readers that wait for a job.
///
/// A pure machine: its owner gives it the time, and wakes whom it names. Readers are numbers.
struct PoolLine<Job> {
    enum Entry: Hashable {
        /// This reader has to be woken; it then asks for its next job.
        case wake(Int)
        case waits
        case full
    }

    private struct Waiting {
        let job: Job
        let deadline: ContinuousClock.Instant
    }

    /// How many jobs may wait for a reader.
    private let limit: Int
    private let patience: Duration
    /// In order, and so are their deadlines.
    private var line: [Waiting] = []
    /// Readers with a connection and without a job.
    private var idle: [Int] = []
    /// Readers that were woken, and have not come for their job.
    private var woken = 0

    init(limit: Int, patience: Duration) { (self.limit, self.patience) = (limit, patience) }

    var waiting: Int { line.count }

    /// When the first job in line has waited too long; nil if none waits.
    var deadline: ContinuousClock.Instant? { line.first?.deadline }

    mutating func enter(_ job: Job, at now: ContinuousClock.Instant) -> Entry {
        guard !idle.isEmpty || line.count < limit + woken else { return .full }
        line.append(Waiting(job: job, deadline: now + patience))
        guard let reader = idle.popLast() else { return .waits }
        woken += 1
        return .wake(reader)
    }

    /// A woken reader has come.
    mutating func wakes() { woken -= 1 }

    /// The next job of a reader with a connection; without one the reader is idle from now on.
    mutating func next(for reader: Int) -> Job? {
        guard !line.isEmpty else {
            idle.append(reader)
            return nil
        }
        return line.removeFirst().job
    }

    /// Removes and returns the jobs that have waited too long.
    mutating func expire(at now: ContinuousClock.Instant) -> [Job] {
        let late = line.prefix { $0.deadline <= now }.map(\.job)
        line.removeFirst(late.count)
        return late
    }

    /// Removes and returns all jobs.
    mutating func removeAll() -> [Job] {
        defer { line = [] }
        return line.map(\.job)
    }
}
