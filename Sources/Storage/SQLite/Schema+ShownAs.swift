extension Schema {
    /// `push_job.shown_as` is the collapse id under which an earlier push of the notification is on the screen, where
    /// that is not the one with which the job will leave: until it is accepted the earlier one stands, and stays if it
    /// never is.
    static let shownAs = "ALTER TABLE push_job ADD COLUMN shown_as TEXT"
}
