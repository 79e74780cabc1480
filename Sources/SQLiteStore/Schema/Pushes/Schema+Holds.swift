extension Schema {
    /// More columns for waiting pushes, and for those that are sent again.
    ///
    /// The acknowledgement of `push_job.seq` cancels the push; NULL means the notification's own number, until its
    /// batch grows. `deadline` is the publisher's end: the push is worth nothing after it, however long it was held.
    /// `held_from` is when a held push would have left. `is_shown` tells that an earlier push of the notification is on
    /// the screen.
    static let holds = """
        ALTER TABLE push_job ADD COLUMN seq INTEGER;
        ALTER TABLE push_job ADD COLUMN deadline INTEGER;
        ALTER TABLE push_job ADD COLUMN held_from INTEGER;
        ALTER TABLE push_job ADD COLUMN is_shown INTEGER NOT NULL DEFAULT 0;
        """
}
