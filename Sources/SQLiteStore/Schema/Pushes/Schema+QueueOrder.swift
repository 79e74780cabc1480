import Deliveries
import GRDB
import Inbox
import Push

extension Schema {
    /// `push_job` holds only waiting jobs, in the order in which they leave. New and leaving jobs lie together, so a
    /// commit of many changes few pages. A row's key is its place: the provider, 42 bits of milliseconds, 19 bits of
    /// turns; since migration 19 a ``QueuePlace``. `push_mark` tells what devices show, in a row for each device: its
    /// ``PushMark``s one after the other.
    ///
    /// SQLite cannot change a table's key, so the table is written anew.
    static func sortQueue(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE push_mark (device INTEGER PRIMARY KEY, marks BLOB NOT NULL) STRICT;
                CREATE TABLE new_push_job (
                    place INTEGER PRIMARY KEY,
                    number INTEGER NOT NULL,
                    is_fallback INTEGER NOT NULL,
                    failures INTEGER NOT NULL,
                    expiry INTEGER NOT NULL,
                    fold_key TEXT,
                    fold INTEGER,
                    collapse TEXT,
                    withdrawn TEXT,
                    seq INTEGER,
                    deadline INTEGER,
                    held_from INTEGER,
                    is_shown INTEGER NOT NULL DEFAULT 0,
                    shown_as TEXT
                ) STRICT;
                """)
        try moveMarks(db)
        try moveJobs(db)
        try db.execute(
            sql: """
                DROP TABLE push_job;
                ALTER TABLE new_push_job RENAME TO push_job;
                CREATE UNIQUE INDEX push_job_number ON push_job (number);
                CREATE INDEX push_job_fold ON push_job (fold_key, number) WHERE fold_key IS NOT NULL;
                """)
    }

    /// The four providers of that time, by number.
    private static let providers: [String: Int64] = ["apns": 0, "fcm": 1, "onesignal": 2, "webpush": 3]

    private static func moveJobs(_ db: Database) throws {
        let find = try db.statement(
            sql: """
                SELECT provider, available_at, number FROM push_job
                WHERE available_at IS NOT NULL ORDER BY provider, available_at, number
                """)
        let columns = """
            number, is_fallback, failures, expiry, fold_key, fold, collapse, withdrawn, seq, deadline, held_from, is_shown,
            shown_as
            """
        let insert = try db.statement(
            sql: """
                INSERT INTO new_push_job (place, \(columns)) SELECT ?, \(columns) FROM push_job WHERE number = ?
                """)
        var (provider, last) = (Int64?.none, Int64?.none)
        try find.forEach([]) { row in
            // A job without a known provider could never leave.
            guard let owner = providers[try row.text(0)] else { return }
            if owner != provider { (provider, last) = (owner, nil) }
            let time: Int64 = min(max(try row.int(1), 0), (1 << 42) - (1 << 20))
            let first: Int64 = ((owner << 42) + time) << 19
            let place = last.map { max($0 + 1, first) } ?? first
            try insert.execute(arguments: [place, try row.int(2)])
            last = place
        }
    }

    private static func moveMarks(_ db: Database) throws {
        let find = try db.statement(
            sql: """
                SELECT number >> 34, number & \((1 << 34) - 1), provider, collapse, sent_at
                FROM push_job WHERE available_at IS NULL ORDER BY number
                """)
        let insert = try db.statement(sql: "INSERT INTO push_mark (device, marks) VALUES (?, ?)")
        var (device, bytes) = (Int64(0), [UInt8]())
        func write() throws {
            if !bytes.isEmpty { try insert.execute(arguments: [device, bytes]) }
            bytes.removeAll(keepingCapacity: true)
        }
        try find.forEach([]) { row in
            if try row.int(0) != device {
                try write()
                device = try row.int(0)
            }
            guard let provider = providers[try row.text(2)].flatMap({ ProviderList.standard[place: Int($0)] }) else {
                return
            }
            let mark = PushMark(
                notification: try row.int(1), provider: provider, collapse: try row.optionalText(3),
                sentAt: try row.optionalInt(4).map(Timestamp.init(milliseconds:)))
            mark.append(to: &bytes)
        }
        try write()
    }
}
