/// How much of the last changes of inboxes a store remembers.
package struct RememberedChanges: Sendable, Hashable {
    package var changes: Int
    /// The memory for them and for what they say, filled or not: it is kept for those that come.
    package var bytes: Int

    package init(changes: Int, bytes: Int) { (self.changes, self.bytes) = (changes, bytes) }
}
