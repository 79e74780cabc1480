extension Schema {
    /// More about pushes that wait, and those that are sent once more.
    ///
    /// `push_job.seq` is whose acknowledgement cancels the push, where that is not its notification's own number: a
    /// batch has grown since. `deadline` is the publisher's word: later than that it is worth nothing, however long it
    /// was held back. `held_from` is when it would have left that waits because its owner is not to be disturbed.
    /// `is_shown` tells that an earlier push of the notification is on the screen.
    static let holds = """
        ALTER TABLE push_job ADD COLUMN seq INTEGER;
        ALTER TABLE push_job ADD COLUMN deadline INTEGER;
        ALTER TABLE push_job ADD COLUMN held_from INTEGER;
        ALTER TABLE push_job ADD COLUMN is_shown INTEGER NOT NULL DEFAULT 0;
        """
}
