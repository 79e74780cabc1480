import Verification

/// An invariant of rows that only this engine has.
struct OwnCheck {
    let name: String
    let meaning: String
    /// Selects the rows' names. `list_mark` is there.
    let query: String
    let mends: [String]

    static let all = [stretches, jobs, floor]

    /// A stretch that hides an unread row makes lists of unread ones incomplete. A damaged one counts as none
    /// (``ReadSpan``). Both may go: unread rows are then only found more slowly.
    private static let stretches = OwnCheck(
        name: "stretches of read rows",
        meaning: "stretches of read notifications that are damaged, or hide unread ones",
        query: "SELECT 'inbox ' || inbox || ', place ' || last FROM read_span WHERE \(isWrongStretch)",
        mends: ["DELETE FROM read_span WHERE \(isWrongStretch)"])

    private static let isWrongStretch = """
        first > last OR seal IS NOT list_mark(inbox || ' ' || first || ' ' || last)
        OR EXISTS (SELECT 1 FROM notification WHERE notification.inbox = read_span.inbox AND place = id
            AND id BETWEEN read_span.first AND read_span.last AND is_read = 0)
        OR EXISTS (SELECT 1 FROM notification INDEXED BY notification_raised
            WHERE notification.inbox = read_span.inbox AND place <> id
            AND place BETWEEN read_span.first AND read_span.last AND is_read = 0)
        """

    /// The first one leaves.
    private static let jobs = OwnCheck(
        name: "pushes twice", meaning: "pushes that wait twice",
        query: "SELECT 'push_job ' || place FROM push_job WHERE \(isDouble)",
        mends: ["DELETE FROM push_job WHERE \(isDouble)"])

    private static let isDouble = """
        number IN (SELECT number FROM push_job GROUP BY number HAVING count(*) > 1)
        AND EXISTS (SELECT 1 FROM push_job AS first WHERE first.number = push_job.number AND first.place < push_job.place)
        """

    /// A new person must not get the number of one whose rows are still to be removed.
    private static let floor = OwnCheck(
        name: "numbers of inboxes", meaning: "a new inbox would get a number that another one had",
        query: """
            SELECT 'inbox_floor' WHERE (SELECT count(*) FROM inbox_floor) <> 1
            OR (SELECT max(inbox) FROM erasure) > max(
                (SELECT max(id) FROM inbox_floor), (SELECT coalesce(max(id), 0) FROM inbox))
            """,
        mends: [
            """
            INSERT INTO inbox_floor (id) SELECT coalesce(max(id), 0) FROM (
                SELECT id FROM inbox_floor UNION ALL SELECT inbox FROM erasure)
            """, "DELETE FROM inbox_floor WHERE rowid < (SELECT max(rowid) FROM inbox_floor)",
        ])
}
