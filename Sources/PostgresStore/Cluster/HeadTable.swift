import Cluster
import Deliveries
import Inbox
import Postgres
import Store

/// How far inboxes and feeds have come, many in one query.
enum HeadTable {
    private static let inboxes = PostgresStatement(
        composed: """
            SELECT asked.place, epoch, coalesce(newest.id, inbox.seq, 0)
            FROM unnest($1) WITH ORDINALITY AS asked (name, place)
            LEFT JOIN inbox ON inbox."user" = asked.name \(InboxRecord.newest)
            """)

    private static let feeds: PostgresStatement = """
        SELECT asked.place, epoch, greatest(
            (SELECT max("offset") FROM feed_item WHERE feed_item.feed = feed.id),
            (SELECT max("offset") FROM feed_change WHERE feed_change.feed = feed.id), 0)
        FROM unnest($1) WITH ORDINALITY AS asked (name, place) LEFT JOIN feed ON feed.name = asked.name
        """

    static func heads(of subjects: [NewsSubject], on connection: PostgresConnection) throws -> [NewsHead] {
        var (users, names): ([String], [String]) = ([], [])
        for subject in subjects {
            switch subject {
            case .inbox(let user): users.append(user.key)
            case .feed(let feed): names.append(feed.text)
            }
        }
        var heads: [NewsHead] = []
        heads.reserveCapacity(subjects.count)
        if !users.isEmpty {
            for row in try connection.run(inboxes, [.texts(users)]) {
                guard let user = UserID(key: users[Int(try row.int64(0)) - 1]) else { continue }
                heads.append(NewsHead(subject: .inbox(user), epoch: try row.textOrNil(1), number: try row.int64(2)))
            }
        }
        if !names.isEmpty {
            for row in try connection.run(feeds, [.texts(names)]) {
                let feed = ExactText(names[Int(try row.int64(0)) - 1])
                heads.append(NewsHead(subject: .feed(feed), epoch: try row.textOrNil(1), number: try row.int64(2)))
            }
        }
        return heads
    }
}
