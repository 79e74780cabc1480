import Cluster
import Inbox
import Store

/// What nodes that share a store in memory keep there about each other.
struct MemoryNodes {
    struct Node {
        let name: String
        let channel: String
        var leaseEnd: Timestamp
        var hasLeft = false
        var mail: [String] = []
    }

    var nodes: [Int64: Node] = [:]
    private(set) var last: Int64 = 0
    /// The nodes that watch each subject.
    var watched: [NewsSubject: Set<Int64>] = [:]
    private var duty: (node: Int64, leaseEnd: Timestamp)?
    /// In their order, each with its node.
    private(set) var notes: [(node: Int64, commit: Commit)] = []
    /// Those that worked when the caretaker last looked.
    private var working: Set<Int64> = []

    init() {}

    mutating func register(name: String, channel: String, until end: Timestamp) -> Int64 {
        last += 1
        nodes[last] = Node(name: name, channel: channel, leaseEnd: end)
        return last
    }

    mutating func renew(_ node: Int64, at now: Timestamp, until end: Timestamp) -> Bool {
        guard let known = nodes[node], known.leaseEnd > now else { return false }
        nodes[node]?.leaseEnd = end
        return true
    }

    mutating func leave(_ node: Int64, until end: Timestamp) {
        nodes[node]?.leaseEnd = end
        nodes[node]?.hasLeft = true
        if duty?.node == node { duty = nil }
    }

    /// Those that work, in their order.
    func living(at now: Timestamp) -> [Int64] {
        nodes.filter { $0.value.leaseEnd > now && !$0.value.hasLeft }.keys.sorted()
    }

    func leased(at now: Timestamp) -> Int { nodes.values.count { $0.leaseEnd > now } }

    mutating func takeDuty(_ node: Int64, at now: Timestamp, until end: Timestamp) -> Bool {
        if let duty, duty.node != node, duty.leaseEnd >= now { return false }
        duty = (node, end)
        return true
    }

    /// Whether a node has died or left since the last call.
    mutating func hasLostSome(at now: Timestamp) -> Bool {
        let living = Set(living(at: now))
        defer { working = living }
        return !working.isSubset(of: living)
    }

    mutating func removeDead(at now: Timestamp) {
        let dead = nodes.filter { $0.value.leaseEnd < now - .seconds(10) }.keys
        for node in dead { nodes[node] = nil }
        for subject in watched.keys { watched[subject]?.subtract(dead) }
    }

    /// Whether a node other than this one watches a person's inbox, or has until it left.
    func isWatched(_ user: UserID, except node: Int64, at now: Timestamp) -> Bool {
        watched[.inbox(user), default: []].contains { $0 != node && (nodes[$0]?.leaseEnd ?? now) > now }
    }

    mutating func write(_ commit: Commit, by node: Int64) { notes.append((node, commit)) }
}
