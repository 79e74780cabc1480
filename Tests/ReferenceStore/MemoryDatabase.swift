import Cluster
import Deliveries
package import Inbox
import Store
import Synchronization

/// Everything that a store in memory keeps, for one process after the other, or for several nodes at once.
package final class MemoryDatabase: Sendable {
    struct Content {
        let rows: MemoryRows
        var nodes = MemoryNodes()
        /// One for each process.
        var writers: [MemoryWriter] = []
    }

    let content: Mutex<Content>
    /// The clock by which nodes' leases end.
    package let clock: @Sendable () -> Timestamp

    package convenience init(
        epoch: String, changeLogLength: Int64, maximumDevices: Int64 = .max,
        clock: @escaping @Sendable () -> Timestamp
    ) {
        self.init(
            MemoryRows(epoch: epoch, changeLogLength: changeLogLength, maximumDevices: maximumDevices), clock: clock)
    }

    init(_ rows: sending MemoryRows, clock: @escaping @Sendable () -> Timestamp) {
        content = Mutex(Content(rows: rows))
        self.clock = clock
    }

    /// What is kept.
    package var state: MemoryState { content.withLock { $0.rows.state } }

    /// Position and counts of a person as the rules know them. The state of the inbox's record may be older: a row that
    /// only comes in brings its counts along.
    package func currentState(of user: UserID) -> InboxState? {
        content.withLock { MemoryInboxes($0.rows).record(of: user)?.state }
    }

    /// Changes what is kept behind the back of the rules: only to see whether a test notices.
    package func change(_ body: (inout MemoryState) -> Void) { content.withLock { body(&$0.rows.state) } }

    /// What a crash of the server takes along: what nodes watch, and what they have told each other.
    package func forgetUnlogged() {
        content.withLock { content in
            content.nodes.watched = [:]
            for node in content.nodes.nodes.keys { content.nodes.nodes[node]?.mail = [] }
        }
    }

    /// Takes in a process, and returns its number.
    func join(_ rules: StoreOptions, isShared: Bool) -> Int {
        content.withLock { content in
            content.writers.append(MemoryWriter(content.rows, options: rules, isShared: isShared))
            return content.writers.count - 1
        }
    }

    /// Has `body` write or read for a process.
    ///
    /// - Parameter node: its number among those that share the store; 0 for one that shares it with nobody.
    func with<Value: Sendable>(
        _ process: Int, node: Int64, _ body: @Sendable (MemoryWriter) throws -> (Value, Commit)
    ) rethrows -> (Value, Commit) {
        try content.withLock { content in
            let (nodes, now) = (content.nodes, clock())
            content.rows.isLiveElsewhere = { nodes.isWatched($0, except: node, at: now) }
            let (value, commit) = try body(content.writers[process])
            if node > 0, let notes = ClusterNode.notes(of: commit) { content.nodes.write(notes, by: node) }
            return (value, commit)
        }
    }
}
