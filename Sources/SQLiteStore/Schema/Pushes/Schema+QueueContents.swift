extension Schema {
    /// `content` is the row of a waiting push's content, while the notification shows the one that it came with. It is
    /// NULL where the notification tells, as in all rows of an older version. Asking the notification would read a page
    /// of each person for each push.
    ///
    /// Jobs are found by number through ``PushJobIndex``, in memory: the table's index had to change a page for nearly
    /// every push.
    static let queueContents = """
        ALTER TABLE push_job ADD COLUMN content INTEGER;
        DROP INDEX push_job_number;
        """
}
