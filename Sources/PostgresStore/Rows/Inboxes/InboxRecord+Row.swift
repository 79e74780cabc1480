import Deliveries
import Inbox
import Postgres

extension InboxRecord {
    /// Reads an inbox as it is now, by its person's key.
    ///
    /// A row of `inbox` has the counts as of its `seq`. If only new notifications have come since, the newest of them
    /// tells the counts: it came at the `seq` that is its id, and holds those right after. Every other change writes
    /// the row, see ``InboxRecord/isOutdated``.
    static let query = PostgresStatement(composed: "\(select(from: "inbox")) WHERE \"user\" = $1")

    /// Locks the rows that ``lockedQuery`` then reads, in the order of their numbers.
    ///
    /// In a statement of its own: one that has waited for a lock still sees other tables as they were before. The
    /// notifications that another transaction has added meanwhile tell the counts.
    static let lock: PostgresStatement = """
        SELECT set_config('belfry.locked_inboxes', coalesce(string_agg(id::text, ','), ''), true)
        FROM (SELECT id FROM inbox WHERE "user" = ANY($1) ORDER BY id FOR UPDATE) AS locked
        """
    /// As ``query``, of the rows that ``lock`` has found.
    static let lockedQuery = PostgresStatement(
        composed: select(#", "user""#, from: "\(locked) JOIN inbox ON inbox.id = locked.id"))
    /// As ``query``, of several people; each row ends with the person's key.
    static let queryOfMany = PostgresStatement(
        composed: "\(select(#", "user""#, from: "inbox")) WHERE \"user\" = ANY ($1)")
    static let userColumn = 11

    private static let locked =
        "unnest(string_to_array(current_setting('belfry.locked_inboxes'), ',')::int8[]) AS locked (id)"

    private static func select(_ more: String = "", from source: String) -> String {
        """
        SELECT inbox.id, epoch, coalesce(newest.id, inbox.seq), coalesce(newest.unread_after, unread),
            coalesce(newest.unseen_after, unseen), total + coalesce(newest.id - inbox.seq, 0), devices,
            settings, profile, device_locale, device_zone\(more)
        FROM \(source) \(newest)
        """
    }

    /// Joins to `inbox` the newest notification, if it came after the row was written.
    static let newest = """
        LEFT JOIN LATERAL (
            SELECT id, unread_after, unseen_after FROM notification
            WHERE notification.inbox = inbox.id AND notification.id > inbox.seq
            ORDER BY notification.id DESC LIMIT 1) AS newest ON true
        """

    /// - Parameter row: of a ``query``.
    init(_ row: PostgresRow) throws {
        let state = InboxState(
            epoch: try row.text(1), seq: try row.int64(2), unread: try row.int64(3), unseen: try row.int64(4),
            total: try row.int64(5))
        var isDamaged = false
        let person = Person(
            settings: try row.textOrNil(7), profile: try row.textOrNil(8),
            device: Reader(locale: try row.textOrNil(9), zone: try row.textOrNil(10)), onDamage: { isDamaged = true })
        self.init(
            id: try row.int64(0), state: state, devices: try row.int64(6), person: person, isDamaged: isDamaged)
    }
}
