/// Feeds, their items, and how far people have viewed them.
extension Check {
    /// Each feed's newest offset.
    private static let heads = """
        (SELECT feed.id AS feed, coalesce((
            SELECT max(number) FROM (
                SELECT max(feed_item."offset") AS number FROM feed_item WHERE feed_item.feed = feed.id
                UNION ALL
                SELECT max(feed_change."offset") FROM feed_change WHERE feed_change.feed = feed.id) AS numbers), 0)
            AS newest FROM feed) AS head
        """

    static func feeds(_ dialect: Dialect) -> [Check] {
        let place = { (table: String) in "'feed ' || \(table).feed || ', offset ' || \(table).\"offset\"" }
        let isWrongTip = """
            (other IS NULL) <> (other_at IS NULL) OR other >= feed_item."offset" OR EXISTS (
                SELECT 1 FROM feed_item AS earlier WHERE earlier.feed = feed_item.feed
                    AND earlier."offset" = feed_item.other AND earlier.author = feed_item.author)
            """
        let newest = "SELECT head.newest FROM \(heads) WHERE head.feed ="
        return ["feed_item", "feed_change", "feed_tag"].map { table in
            orphans(table, without: "feed", lacks("feed", "feed.id = \(table).feed"), named: place(table))
        } + [
            orphans(
                "feed_tag", without: "item",
                lacks("feed_item", "feed_item.feed = feed_tag.feed AND feed_item.\"offset\" = feed_tag.\"offset\""),
                named: place("feed_tag")),
            orphans(
                "feed_mark", without: "feed", lacks("feed", "feed.id = feed_mark.feed"),
                named: "'inbox ' || feed_mark.inbox || ', feed ' || feed_mark.feed"),
            orphans(
                "feed_mark", without: "inbox", lacks("inbox", "inbox.id = feed_mark.inbox"),
                named: "'inbox ' || feed_mark.inbox || ', feed ' || feed_mark.feed"),
            Check(
                "offsets of feeds", "offsets that both an item and a change have",
                """
                SELECT \(place("feed_item")) FROM feed_item JOIN feed_change
                    ON feed_change.feed = feed_item.feed AND feed_change."offset" = feed_item."offset"
                """),
            Check(
                "tips of feeds", "items that do not name the newest earlier item by another author",
                "SELECT \(place("feed_item")) FROM feed_item WHERE \(isWrongTip)"),
            Check(
                "trimmed feeds", "feeds that were trimmed beyond their newest item",
                "SELECT 'feed ' || feed.id FROM feed JOIN \(heads) ON head.feed = feed.id WHERE trimmed > head.newest",
                mends: ["UPDATE feed SET trimmed = (\(newest) feed.id) WHERE trimmed > (\(newest) feed.id)"]),
            Check(
                "marks of feeds", "people who would have viewed items that are still to come",
                """
                SELECT 'inbox ' || feed_mark.inbox || ', feed ' || feed_mark.feed
                FROM feed_mark JOIN \(heads) ON head.feed = feed_mark.feed WHERE viewed > head.newest
                """,
                mends: [
                    """
                    UPDATE feed_mark SET viewed = (\(newest) feed_mark.feed)
                    WHERE viewed > (\(newest) feed_mark.feed)
                    """
                ]),
        ]
    }
}
