/// Reads the rows of one inbox that pass a filter, the highest place first.
package protocol ListReads {
    /// - Parameter skipping: how many rows of the span are skipped.
    func rows(in span: ListSpan, limit: Int, skipping skipped: Int64) throws -> [NotificationRecord]
    /// A row that passes the filter; nil if it does not, or is gone.
    func row(_ id: Int64) throws -> NotificationRecord?
    /// All rows that pass the filter.
    func grouped() throws -> [GroupedRow]

    /// How many rows of the span pass the filter.
    func count(in span: ListSpan) throws -> Int64
    /// How many rows have come since, whatever their types and groups; only unread ones if the filter is for these.
    func countOfNewcomers(after seq: Int64) throws -> Int64

    /// A notification's place, whatever the filter; nil if it is gone.
    func place(of id: Int64) throws -> Int64?
    /// The notifications that came up again since `seq`, the first time first, each with the place that it left. Those
    /// that the change log no longer tells are missing. A place that cannot be read is nil.
    func raised(since seq: Int64) throws -> [(id: Int64, place: Int64?)]
}
