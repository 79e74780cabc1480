extension Schema {
    /// `push_job.sent_at` is when the push was accepted of which the row is the mark. As long as the mark is there, it
    /// is the trail's step as well: a row of `trail_step` for each push would cost as much as the queue itself.
    static let marks = "ALTER TABLE push_job ADD COLUMN sent_at INTEGER"
}
