/// The state of a database that nodes share. A figure is nil where it cannot be read, mostly for want of rights.
package struct DatabaseFigures: Sendable, Hashable {
    package struct Table: Sendable, Hashable {
        package let name: String
        /// As far as the server knows.
        package let livingRows: Int64
        /// Rows that went, and whose space is not free yet.
        package let deadRows: Int64

        package init(name: String, livingRows: Int64, deadRows: Int64) {
            (self.name, self.livingRows, self.deadRows) = (name, livingRows, deadRows)
        }
    }

    /// The age of the oldest transaction that keeps dead rows.
    package var oldestTransaction: Duration?
    /// How full the queue of notifications is, from 0 to 1.
    package var notifyQueue: Double?
    package var connections: Int64?
    package var mostConnections: Int64?
    /// Sessions that wait for a lock.
    package var lockWaiters: Int64?
    package var bytes: Int64?
    package var tables: [Table] = []

    package init() {}
}
