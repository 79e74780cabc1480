import Deliveries
import GRDB

extension Schema {
    /// The columns and tables by which lists are read.
    ///
    /// `notification.place` orders an inbox's list: the `seq` at which the notification came, or came up again.
    /// `type_mark` and `group_mark` are its content's type and group (``ListMark``), so that a filter reads no
    /// contents. The index has the few rows that came up again; all others have the same place in the list as in the
    /// table. `read_span` is ``ReadSpanTable``. `fresh` and `fresh_from` are a row's ``FreshContent``.
    static func prepareLists(_ db: Database) throws {
        addListMark(db)
        try db.execute(
            sql: """
                ALTER TABLE notification ADD COLUMN place INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE notification ADD COLUMN type_mark INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE notification ADD COLUMN group_mark INTEGER;
                ALTER TABLE notification ADD COLUMN fresh INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE notification ADD COLUMN fresh_from TEXT;
                UPDATE notification SET place = id,
                    type_mark = coalesce((SELECT list_mark(type) FROM content WHERE content.id = content), 0),
                    group_mark = (SELECT list_mark(group_name) FROM content WHERE content.id = content);
                CREATE INDEX notification_raised ON notification (inbox, place) WHERE place <> id;
                CREATE TABLE read_span (
                    inbox INTEGER NOT NULL,
                    first INTEGER NOT NULL,
                    last INTEGER NOT NULL,
                    seal INTEGER NOT NULL,
                    PRIMARY KEY (inbox, last)
                ) WITHOUT ROWID;
                \(fillReadSpans)
                """)
    }

    /// The function `list_mark` of a connection.
    static func addListMark(_ db: Database) {
        db.add(
            function: DatabaseFunction("list_mark", argumentCount: 1, pure: true) { values in
                String.fromDatabaseValue(values[0]).map { ListMark.of($0) }
            })
    }

    /// Fills an empty `read_span` by `list_mark`.
    static let fillReadSpans = """
        -- Counted among all rows and among the read ones, rows of one stretch are as far apart.
        INSERT INTO read_span (inbox, first, last, seal)
            SELECT inbox, min(place), max(place), list_mark(inbox || ' ' || min(place) || ' ' || max(place)) FROM (
                SELECT inbox, place, is_read,
                    row_number() OVER (PARTITION BY inbox ORDER BY place)
                        - row_number() OVER (PARTITION BY inbox, is_read ORDER BY place) AS stretch
                FROM notification)
            WHERE is_read <> 0 GROUP BY inbox, stretch;
        """

    /// The key's columns now come first. SQLite keeps them first in a table without row ids, but its `integrity_check`
    /// (3.40) looks for a null where the declaration has the column. So it called sound rows of migration 16 damaged.
    static let orderedReadSpans = """
        ALTER TABLE read_span RENAME TO unordered_read_span;
        CREATE TABLE read_span (
            inbox INTEGER NOT NULL,
            last INTEGER NOT NULL,
            first INTEGER NOT NULL,
            seal INTEGER NOT NULL,
            PRIMARY KEY (inbox, last)
        ) WITHOUT ROWID;
        INSERT INTO read_span (inbox, last, first, seal) SELECT inbox, last, first, seal FROM unordered_read_span;
        DROP TABLE unordered_read_span;
        """
}
