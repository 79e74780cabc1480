import Inbox
package import Store

/// What nodes that share a store keep there about each other, over one connection. Belongs to the node's queue.
///
/// Each call throws a failure of the engine; then the connection may have ended.
package protocol NodeRows: AnyObject {
    /// A node as others reach it: by its number, or only by its channel where an answer goes back to whoever asked.
    typealias Message = (node: Int64?, channel: String, text: String)

    var isOpen: Bool { get }
    func close()

    // MARK: Nodes

    /// Takes in a new node, with a lease of ``ClusterNode/lease``.
    ///
    /// - Returns: its number.
    func register(name: String, channel: String) throws -> Int64
    /// Begins the lease anew.
    ///
    /// - Returns: whether the node was still known; if not, nobody counts with what it watches.
    func renew(_ node: Int64) throws -> Bool
    /// Notes that the node does no work any more. What it watched goes on to count for ``ClusterNode/returnTime``.
    func leave(_ node: Int64) throws
    /// The nodes that work, and how many have a lease, with those that have left.
    func living() throws -> (working: Set<Int64>, leased: Int)
    func others(than node: Int64) throws -> [(node: Int64, channel: String)]
    /// Takes over the work that one node does for all, or keeps it.
    func takeDuty(_ node: Int64) throws -> Bool
    /// Ends the leases of pushes that nodes had which have left or died: the next look hands these pushes out again.
    func endLeases() throws
    /// Removes what dead nodes have left, a while after their death.
    func removeDead() throws
    /// Looks at the store's clock.
    ///
    /// - Returns: how long the answer took.
    func lookAtClock() throws -> Duration

    // MARK: What nodes watch

    func watch(_ subjects: [NewsSubject], _ node: Int64) throws
    func unwatch(_ subjects: [NewsSubject], _ node: Int64) throws
    /// The other nodes that watch any of these subjects, one entry for each subject.
    func watchers(
        of subjects: [NewsSubject], except node: Int64
    ) throws -> [(subject: NewsSubject, node: Int64, channel: String)]
    func heads(of subjects: [NewsSubject]) throws -> [NewsHead]

    // MARK: What they tell each other

    /// Sends messages. Any may be lost.
    func post(_ messages: [Message]) throws
    /// Takes what was posted to a node without a listener, in its order.
    func takeMail(of node: Int64) throws -> [String]
    /// Begins with the notes of others that are committed from now on; see ``ClusterNode/hasNotes(_:)``.
    func beginNotes(for node: Int64) throws
    /// The notes of others since the last call.
    ///
    /// - Parameter mayHaveMissedSome: whether notes may be gone that this node has not read. Then each revocation is
    ///   told again, as each has to be known at every node.
    func takeNotes(mayHaveMissedSome: Bool) throws -> [Commit]
}
