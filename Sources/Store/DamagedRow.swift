/// A row that does not hold what was written to it.
package struct DamagedRow: Error, Sendable, Hashable {
    package let table: String
    /// Values of the row's key, for the operator; never a text of an event. Empty where they are unknown.
    package let key: String

    package init(table: String, key: String = "") { (self.table, self.key) = (table, key) }
}
