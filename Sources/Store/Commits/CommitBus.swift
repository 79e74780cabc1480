/// Announces commits: the one place from which a node learns what has changed in its store.
///
/// A node's memory of the store is a cache that these announcements keep right.
package protocol CommitBus: AnyObject, Sendable {
    /// Announces a commit that is on the disk, and tells its callers within the same announcement.
    ///
    /// The engine calls this on its writer's queue, once a commit and in the order of the commits.
    /// - Parameter answers: tells the callers of the commit's writes.
    func announce(_ commit: Commit, answers: () -> Void)

    /// Has a listener hear of each commit, before the callers of its writes are told.
    ///
    /// - Parameters:
    ///   - listener: is called on the writer's queue, one commit after the other; it must not wait for the store. An
    ///     empty commit is not announced to it.
    ///   - surround: runs each announcement with its answers, so that what both start can leave together.
    func onCommit(
        _ listener: @escaping @Sendable (Commit) -> Void,
        within surround: @escaping @Sendable (_ announce: () -> Void) -> Void)
}
