extension Schema {
    /// The current state of inboxes; every query for an inbox's counts uses this view.
    ///
    /// A row of `inbox` has the counts as of its `seq`. If only new notifications have come since, they tell the
    /// counts: each came at the `seq` that is its id, and holds the counts right after. So adding notifications need
    /// not write the inbox, which lies on a page of its own. Every other change that takes a `seq` writes it, see
    /// ``InboxRecord/isOutdated``. A program that does not know this must not open the store: hence a migration.
    static let inboxState = """
        CREATE VIEW inbox_state AS
            SELECT inbox.id AS id, user, epoch, coalesce(newest.id, inbox.seq) AS seq,
                coalesce(newest.unread_after, unread) AS unread, coalesce(newest.unseen_after, unseen) AS unseen,
                total + coalesce(newest.id - inbox.seq, 0) AS total,
                devices, settings, profile, device_locale, device_zone
            FROM inbox LEFT JOIN notification AS newest ON newest.inbox = inbox.id AND newest.id > inbox.seq
                AND newest.id = (SELECT max(id) FROM notification WHERE inbox = inbox.id);
        """
}
