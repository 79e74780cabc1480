/// Announces commits: the one place from which a node learns what has changed in its store.
///
/// A node's memory of the store is a cache that these announcements keep right.
package protocol CommitBus: AnyObject, Sendable {
    /// Announces a commit that is on the disk, and tells its callers within the same announcement.
    ///
    /// The engine calls this on its writer's queue, once a commit and in the order of the commits.
    /// - Parameter answers: tells the callers of the commit's writes.
    func announce(_ commit: Commit, answers: () -> Void)

    /// Has listeners hear of commits, before the callers of their writes are told. They must not wait for the store. An
    /// empty commit is not announced.
    ///
    /// - Parameters:
    ///   - written: is called for each commit of this node, on the writer's queue, one commit after the other.
    ///   - tell: gets what sessions have to hear, one call after the other: each inbox's and each feed's changes in
    ///     order. Where several nodes share a store, it hears of their commits, too.
    ///   - surround: runs each announcement with its answers, so that what both start can leave together.
    func onCommit(
        _ written: @escaping @Sendable (Commit) -> Void, tell: @escaping @Sendable (Commit) -> Void,
        within surround: @escaping @Sendable (_ announce: () -> Void) -> Void)
}
