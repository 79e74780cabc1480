/// Rows of a table that follow each other in their engine's order.
package struct RowBatch: Sendable {
    /// Each in the order of ``MigratedTable/columns``.
    package var rows: [[Cell]]
    /// The key of the last row, as the engine that gave it reads it; nil without rows.
    package var last: [Cell]?
    /// Whether no rows follow.
    package var isEnd: Bool

    package init(rows: [[Cell]] = [], last: [Cell]? = nil, isEnd: Bool) {
        (self.rows, self.last, self.isEnd) = (rows, last, isEnd)
    }
}

/// How far a table is copied.
package enum TablePlace: Hashable, Sendable {
    case beginning
    /// Up to the row with this key, which is the source's.
    case behind([Cell])
    case end
}
