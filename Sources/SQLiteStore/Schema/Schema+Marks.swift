extension Schema {
    /// `push_job.sent_at` is when the push of a mark was accepted. While the mark exists, it also serves as the trail's
    /// step: a row of `trail_step` for each push would cost as much as the queue itself.
    static let marks = "ALTER TABLE push_job ADD COLUMN sent_at INTEGER"
}
