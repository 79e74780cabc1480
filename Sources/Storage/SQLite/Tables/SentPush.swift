import Inbox
import Push

/// What a mark in the queue has told of a push that was accepted.
struct SentPush {
    let notification: Int64
    let provider: Device.Provider
    let at: Timestamp

    /// Nil for a row that tells of none.
    /// - Parameter row: begins with `notification`, `provider` and `sent_at`.
    init?(_ row: StoredRow) throws {
        guard let at = try row.optionalInt(2) else { return nil }
        guard let provider = Device.Provider(rawValue: try row.text(1)) else { throw DamagedRow(table: "push_job") }
        notification = try row.int(0)
        self.provider = provider
        self.at = Timestamp(milliseconds: at)
    }
}
