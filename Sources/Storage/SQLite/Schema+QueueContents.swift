extension Schema {
    /// `content` is the row of what a waiting push says, as long as that is what its notification said when it came;
    /// NULL where the notification tells, as in all rows of an older version. To read that of each push that leaves
    /// takes a page of each person.
    ///
    /// By its number a job is found through ``PushJobIndex``, in memory: the index of the table had a page to change
    /// for nearly every push.
    static let queueContents = """
        ALTER TABLE push_job ADD COLUMN content INTEGER;
        DROP INDEX push_job_number;
        """
}
