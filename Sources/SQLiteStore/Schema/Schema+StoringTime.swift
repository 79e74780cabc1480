extension Schema {
    /// Notifications age by their storing time, since `created_at` is the publisher's word. Most publishers say
    /// nothing, and then `stored_at` is NULL: both times are the same.
    ///
    /// Existing rows are only known not to be from the future. One from the future would keep its whole inbox from
    /// ageing.
    static let storingTime = """
        ALTER TABLE notification ADD COLUMN stored_at INTEGER;
        UPDATE notification SET stored_at = CAST(strftime('%s', 'now') AS INTEGER) * 1000
            WHERE created_at > CAST(strftime('%s', 'now') AS INTEGER) * 1000;
        """
}
