/// How many of the inboxes' last changes a store remembers.
package struct RememberedChanges: Sendable, Hashable {
    package var changes: Int
    /// The memory for them and their contents, used or not: it is kept for later ones.
    package var bytes: Int

    package init(changes: Int, bytes: Int) { (self.changes, self.bytes) = (changes, bytes) }
}
