import Cluster
import Deliveries
import Dispatch
import Postgres
import Store
import Synchronization

/// Turns waiting writes into commits: each takes all that came while the last one was on its way.
final class PostgresCommitter: Sendable {
    private let waiting: Mutex<WaitingWrites>
    /// Touched on the queue alone. The mutex says so to the compiler.
    private let writer: Mutex<PostgresWriter>
    private let queue = DispatchQueue(label: "belfry.postgres.writer")
    private let cluster: ClusterNode
    private let rowsPerCommit: Int
    let maximumWaitingRows: Int
    private let onFailure: @Sendable (StoreError) -> Void

    /// - Parameter cluster: announces each commit, in their order.
    init(_ writer: consuming sending PostgresWriter, _ options: PostgresStoreOptions, cluster: ClusterNode) {
        self.writer = Mutex(writer)
        self.cluster = cluster
        (rowsPerCommit, onFailure) = (options.rules.rowsPerCommit, options.onFailure)
        maximumWaitingRows = options.waitingRows
        waiting = Mutex(WaitingWrites(limit: maximumWaitingRows))
    }

    /// The rows of all writes that were taken in and have not begun.
    var waitingRows: Int { waiting.withLock(\.rows) }

    /// Takes in a write, or refuses it at once.
    func add(_ write: some Write) {
        switch waiting.withLock({ $0.add(write) }) {
        case .start: queue.async { [self] in drain() }
        case .waits: break
        case .overloaded: write.fail(.overloaded)
        case .closed: write.fail(.closed)
        }
    }

    /// Commits all that waits and ends the connection. Nothing more is taken in.
    func close(then completion: @escaping @Sendable () -> Void) {
        waiting.withLock { $0.close() }
        queue.async { [self] in
            drain()
            writer.withLock { $0.close() }
            completion()
        }
    }

    // MARK: On the queue

    private func drain() {
        while true {
            let writes = waiting.withLock { $0.takeAllOrEnd() }
            if writes.isEmpty { return }
            if Self.rows(of: writes) > rowsPerCommit {
                commitInTurns(writes)
                continue
            }
            var rest = writes[...]
            while let first = rest.first {
                let group = first.isRehearsal ? rest.prefix(1) : rest.prefix { !$0.isRehearsal }
                rest = rest.dropFirst(group.count)
                // Writes that come now may not overtake those that came before them.
                begin(Array(group), mayGrow: rest.isEmpty)
            }
        }
    }

    /// Commits more than one commit's worth, and all that comes meanwhile: a flood of one publisher delays others by one
    /// commit.
    private func commitInTurns(_ writes: [any Write]) {
        var turns = WriteTurns()
        turns.add(writes)
        while !turns.isEmpty {
            begin(turns.next(rows: rowsPerCommit), mayGrow: false)
            if !turns.isEmpty { turns.add(waiting.withLock { $0.takeAll() }) }
        }
    }

    private func begin(_ group: [any Write], mayGrow: Bool) {
        waiting.withLock { $0.begin(rows: Self.rows(of: group)) }
        if group[0].isRehearsal { rehearse(group[0]) } else { commit(group, mayGrow: mayGrow) }
    }

    private static func rows(of writes: some Sequence<any Write>) -> Int { writes.reduce(0) { $0 + $1.rows } }

    private func rehearse(_ write: any Write) {
        do {
            try writer.withLock { writer in try writer.rehearse(by: cluster.node) { try write.perform(in: $0) } }.tell()
        } catch {
            fail([write], error)
        }
    }

    /// Commits all of a group, in several transactions if it is more work than announced. How many members a topic has
    /// is known only there.
    /// - Parameter mayGrow: whether writes that come meanwhile may join.
    private func commit(_ writes: [any Write], mayGrow: Bool) {
        var group = writes[...]
        do {
            while !group.isEmpty {
                let (reports, commit) = try writer.withLock { writer in
                    try writer.commit(by: cluster.node) { open in try perform(&group, mayGrow: mayGrow, in: open) }
                }
                group = group.dropFirst(reports.count)
                cluster.announce(commit) { for report in reports { report.tell() } }
            }
        } catch {
            // One of them is at fault, and nothing was kept. So each is tried alone.
            if group.count > 1, Self.isOfOneWrite(error) {
                for write in group { commit([write], mayGrow: false) }
            } else {
                fail(group, error)
            }
        }
    }

    /// Performs the first of the writes, up to the point where the transaction is full.
    ///
    /// - Parameter group: gets those that join.
    /// - Returns: one report for each that was performed.
    private func perform(
        _ group: inout ArraySlice<any Write>, mayGrow: Bool, in open: OpenTransaction
    ) throws -> [WriteReport] {
        var reports: [WriteReport] = []
        try perform(group, in: open, &reports)
        let freeRows = rowsPerCommit - Self.rows(of: group)
        if mayGrow, freeRows > 0, !open.isFull {
            let joining = waiting.withLock { $0.takeMore(rows: freeRows) }
            group += joining
            try perform(joining[...], in: open, &reports)
        }
        return reports
    }

    private func perform(
        _ writes: ArraySlice<any Write>, in open: OpenTransaction, _ reports: inout [WriteReport]
    ) throws {
        if writes.isEmpty { return }
        open.reserve(writes: writes.count)
        try open.expectFacts(of: writes)
        for write in writes {
            reports.append(try write.perform(in: open))
            if open.isFull { return }
        }
    }

    /// Whether another write of the group may pass where this error came. If the server is gone, full or takes no
    /// writes, each would fail in the same way, and wait as long for it.
    private static func isOfOneWrite(_ error: any Error) -> Bool {
        guard let failure = error as? PostgresFailure else { return true }
        return switch failure.meaning {
        case .uniqueViolation, .tryAgain, .other: !failure.isConnectionOver && !failure.isUnknown
        case .connectionLost, .cannotConnect, .readOnly, .outOfSpace, .shuttingDown, .timeOut: false
        }
    }

    private func fail(_ writes: some Sequence<any Write>, _ error: any Error) {
        let failure = StoreError(error)
        onFailure(failure)
        for write in writes { write.fail(failure) }
    }
}
