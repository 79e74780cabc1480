extension Schema {
    /// `group_name` is the group that a notification belongs to, and `group_text` how the group's line reads, with the
    /// number still open, as JSON; both NULL for one that stands alone.
    static let groups = """
        ALTER TABLE content ADD COLUMN group_name TEXT;
        ALTER TABLE content ADD COLUMN group_text BLOB;
        """
}
