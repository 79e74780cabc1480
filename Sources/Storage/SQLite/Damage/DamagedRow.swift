/// A row that does not hold what was written to it.
package struct DamagedRow: Error, Sendable, Hashable {
    package let table: String
    /// What an operator finds it by: values of its key, never a text of an event's. Empty where that is not known.
    package let key: String

    package init(table: String, key: String = "") { (self.table, self.key) = (table, key) }
}

/// A column holds a value of another type than was written.
struct DamagedColumn: Error {}
