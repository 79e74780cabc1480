extension Schema {
    /// `push_job.shown_as` is the collapse id of an earlier push on the screen, if the job will leave under another
    /// one. Until the new push is accepted, the earlier one stays.
    static let shownAs = "ALTER TABLE push_job ADD COLUMN shown_as TEXT"
}
