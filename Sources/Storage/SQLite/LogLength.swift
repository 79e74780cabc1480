import GRDB

/// How long the writer's log becomes before its pages are copied to the database.
struct LogLength: Hashable {
    private static let pageBytes: Int64 = 4_096
    /// Every 64 MB where there is room: an event touches a page of each recipient, and many of the same ones again soon.
    private static let mostPages: Int64 = 16_000
    /// Below 4 MB copying would take more than writing does.
    private static let leastPages: Int64 = 1_000
    /// The pages may all be new to the database, which needs as much again for them, and a reader may make the log longer.
    private static let share: Int64 = 4

    let pages: Int

    /// - Parameter bytes: the room on the disk for both, beside what the database takes.
    init(room bytes: Int64) {
        pages = Int(min(Self.mostPages, max(Self.leastPages, bytes / Self.share / Self.pageBytes)))
    }

    /// To how many bytes the log's file may be brought before they are needed. None of them beyond its share of a small disk.
    static func mostReserved(room bytes: Int64) -> Int64 { min(mostPages * pageBytes, bytes / share) }

    /// Has the connection keep to a length that suits the room there is now, and shorten a log that was longer once it begins
    /// at its start again.
    static func fit(_ db: Database) throws {
        let length = LogLength(room: LogPlace(of: db)?.room ?? .max)
        try db.execute(sql: "PRAGMA wal_autocheckpoint = \(length.pages)")
        // A commit may go beyond, and a frame is a little longer than its page.
        try db.execute(sql: "PRAGMA journal_size_limit = \(Int64(length.pages) * pageBytes * 5 / 4)")
    }
}
