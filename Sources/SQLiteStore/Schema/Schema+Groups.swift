extension Schema {
    /// `group_name` is the notification's group, and `group_text` the group's line as JSON, with the number left open;
    /// both are NULL for one without a group.
    static let groups = """
        ALTER TABLE content ADD COLUMN group_name TEXT;
        ALTER TABLE content ADD COLUMN group_text BLOB;
        """
}
