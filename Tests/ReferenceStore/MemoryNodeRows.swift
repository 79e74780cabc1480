package import Cluster
import Deliveries
import Inbox
package import Store
import Synchronization

/// The calls of one node about all of them, on a database in memory.
package final class MemoryNodeRows: NodeRows {
    /// How far a node has read the notes of others; outlives a connection.
    package final class NotePlace: Sendable {
        fileprivate let place = Atomic(0)

        package init() {}
    }

    private let database: MemoryDatabase
    private let notes: NotePlace
    /// Sends a text to a channel; nil for nodes that look for mail.
    private let send: (@Sendable (_ channel: String, _ text: String) -> Void)?
    /// Called before each statement; throws what fails.
    private let check: () throws -> Void

    package init(
        _ database: MemoryDatabase, _ notes: NotePlace, send: (@Sendable (_ channel: String, _ text: String) -> Void)?,
        check: @escaping () throws -> Void
    ) {
        (self.database, self.notes, self.send, self.check) = (database, notes, send, check)
    }

    package private(set) var isOpen = true
    package func close() { isOpen = false }

    private var now: Timestamp { database.clock() }
    private var leaseEnd: Timestamp { now + ClusterNode.lease }

    private func run<Value: Sendable>(_ body: @Sendable (inout MemoryDatabase.Content) -> Value) throws -> Value {
        do { try check() } catch {
            isOpen = false
            throw error
        }
        return database.content.withLock { body(&$0) }
    }

    // MARK: Nodes

    package func register(name: String, channel: String) throws -> Int64 {
        let end = leaseEnd
        return try run { $0.nodes.register(name: name, channel: channel, until: end) }
    }

    package func renew(_ node: Int64) throws -> Bool {
        let (now, end) = (now, leaseEnd)
        return try run { $0.nodes.renew(node, at: now, until: end) }
    }

    package func leave(_ node: Int64) throws {
        let end = now + ClusterNode.returnTime
        try run { $0.nodes.leave(node, until: end) }
    }

    package func living() throws -> (working: Set<Int64>, leased: Int) {
        let now = now
        return try run { (Set($0.nodes.living(at: now)), $0.nodes.leased(at: now)) }
    }

    package func others(than node: Int64) throws -> [(node: Int64, channel: String)] {
        let now = now
        return try run { content in
            content.nodes.living(at: now).filter { $0 != node }.map { ($0, content.nodes.nodes[$0]?.channel ?? "") }
        }
    }

    package func takeDuty(_ node: Int64) throws -> Bool {
        let (now, end) = (now, leaseEnd)
        return try run { $0.nodes.takeDuty(node, at: now, until: end) }
    }

    /// Leases are not kept by node here: when one has gone, all end, and some pushes leave twice.
    package func endLeases() throws {
        let now = now
        try run { content in
            if content.nodes.hasLostSome(at: now) { content.rows.turns.memory = PushMemory() }
        }
    }

    package func removeDead() throws {
        let now = now
        try run { $0.nodes.removeDead(at: now) }
    }

    package func lookAtClock() throws -> Duration { try run { _ in .zero } }

    // MARK: What nodes watch

    package func watch(_ subjects: [NewsSubject], _ node: Int64) throws {
        try run { content in
            for subject in subjects { content.nodes.watched[subject, default: []].insert(node) }
        }
    }

    package func unwatch(_ subjects: [NewsSubject], _ node: Int64) throws {
        try run { content in
            for subject in subjects { content.nodes.watched[subject]?.remove(node) }
        }
    }

    package func watchers(
        of subjects: [NewsSubject], except node: Int64
    ) throws -> [(subject: NewsSubject, node: Int64, channel: String)] {
        let now = now
        return try run { content in
            let living = content.nodes.living(at: now).filter { $0 != node }
            return subjects.flatMap { subject in
                living.filter { content.nodes.watched[subject, default: []].contains($0) }
                    .map { (subject, $0, content.nodes.nodes[$0]?.channel ?? "") }
            }
        }
    }

    package func heads(of subjects: [NewsSubject]) throws -> [NewsHead] {
        try run { MemoryNewsReads(rows: $0.rows).heads(of: subjects) }
    }

    // MARK: What they tell each other

    package func post(_ messages: [Message]) throws {
        try run { [send] content in
            for message in messages {
                if let send {
                    send(message.channel, message.text)
                } else if let node = message.node
                    ?? content.nodes.nodes.first(where: {
                        $0.value.channel == message.channel
                    })?.key
                {
                    content.nodes.nodes[node]?.mail.append(message.text)
                }
            }
        }
    }

    package func takeMail(of node: Int64) throws -> [String] {
        try run { content in
            defer { content.nodes.nodes[node]?.mail = [] }
            return content.nodes.nodes[node]?.mail ?? []
        }
    }

    package func beginNotes(for node: Int64) throws {
        notes.place.store(try run { $0.nodes.notes.count }, ordering: .relaxed)
    }

    package func takeNotes(mayHaveMissedSome: Bool) throws -> [Commit] {
        let begin = notes.place.load(ordering: .relaxed)
        let (found, revoked) = try run { content in
            (content.nodes.notes[begin...].map(\.commit), content.rows.state.revocations)
        }
        notes.place.store(begin + found.count, ordering: .relaxed)
        guard mayHaveMissedSome else { return found }
        var all = Commit()
        all.revoked = revoked.map { Revocation(user: $0.key, issuedBefore: $0.value) }
        return found + [all]
    }
}
