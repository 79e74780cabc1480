import Foundation
import GRDB
import Inbox
import Push

extension Schema {
    /// `push_job` has nothing but jobs that wait, in the order in which they leave: those that come and those that go
    /// lie together, so that a commit of many changes few pages. A row's key is its ``QueuePlace``. `push_mark` has
    /// what devices show, a row for each device: its ``PushMark``s behind one another.
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

    private static func moveJobs(_ db: Database) throws {
        let find = try db.makeStatement(
            sql: """
                SELECT provider, available_at, number FROM push_job
                WHERE available_at IS NOT NULL ORDER BY provider, available_at, number
                """)
        let columns = """
            number, is_fallback, failures, expiry, fold_key, fold, collapse, withdrawn, seq, deadline, held_from, is_shown,
            shown_as
            """
        let insert = try db.makeStatement(
            sql: """
                INSERT INTO new_push_job (place, \(columns)) SELECT ?, \(columns) FROM push_job WHERE number = ?
                """)
        var (provider, last) = (Device.Provider?.none, QueuePlace?.none)
        let rows = try StoredRow.fetchCursor(find)
        while let row = try rows.next() {
            // What no provider has could never leave.
            guard let owner = Device.Provider(rawValue: try row.text(0)) else { continue }
            if owner != provider { (provider, last) = (owner, nil) }
            let first = QueuePlace.first(of: owner, at: Timestamp(milliseconds: try row.int(1)))
            let place = last.map { max($0.next, first) } ?? first
            try insert.execute(arguments: [place.rawValue, try row.int(2)])
            last = place
        }
    }

    private static func moveMarks(_ db: Database) throws {
        let find = try db.makeStatement(
            sql: """
                SELECT number >> 34, number & \((1 << 34) - 1), provider, collapse, sent_at
                FROM push_job WHERE available_at IS NULL ORDER BY number
                """)
        let insert = try db.makeStatement(sql: "INSERT INTO push_mark (device, marks) VALUES (?, ?)")
        var (device, bytes) = (Int64(0), [UInt8]())
        func write() throws {
            if !bytes.isEmpty { try insert.execute(arguments: [device, Data(bytes)]) }
            bytes.removeAll(keepingCapacity: true)
        }
        let rows = try StoredRow.fetchCursor(find)
        while let row = try rows.next() {
            if try row.int(0) != device {
                try write()
                device = try row.int(0)
            }
            guard let provider = Device.Provider(rawValue: try row.text(2)) else { continue }
            let mark = PushMark(
                notification: try row.int(1), provider: provider, collapse: try row.optionalText(3),
                sentAt: try row.optionalInt(4).map(Timestamp.init(milliseconds:)))
            mark.append(to: &bytes)
        }
        try write()
    }
}
