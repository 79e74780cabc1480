extension Schema {
    /// Notifications age by when they were stored, since `created_at` is what their publisher says. Most say nothing,
    /// and then `stored_at` is NULL: both are the same.
    ///
    /// Of rows that are there already it is known only that they are not from the future. One of those would keep its
    /// whole inbox from ageing.
    static let storingTime = """
        ALTER TABLE notification ADD COLUMN stored_at INTEGER;
        UPDATE notification SET stored_at = CAST(strftime('%s', 'now') AS INTEGER) * 1000
            WHERE created_at > CAST(strftime('%s', 'now') AS INTEGER) * 1000;
        """
}
