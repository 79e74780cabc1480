extension Schema {
    /// Inboxes as they are now; whoever asks for an inbox's counts asks this view.
    ///
    /// A row of `inbox` has the counts as of its `seq`. If notifications were added since, and nothing else has
    /// happened, they alone tell it: each came at the `seq` that is its id, and knows the counts right after. So what
    /// adds notifications need not write the inbox, which lies on a page of its own; everything else that takes a `seq`
    /// does, see ``InboxRecord/isOutdated``. A program that does not know this must not open the store: hence a
    /// migration.
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
