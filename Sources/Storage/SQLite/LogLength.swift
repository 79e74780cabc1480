import GRDB

/// How long the writer's log may become before its pages are copied to the database.
struct LogLength: Hashable {
    private static let pageBytes: Int64 = 4_096
    /// 256 MB where there is room: an event touches a page of each recipient, and many of the same ones again soon.
    static let mostPages = 64_000
    /// Before copying has shown how long it takes.
    private static let usualPages = 16_000
    /// Below, what copying takes besides its pages would count for too much, however long that is.
    private static let fewPages = 4_000
    /// Below 4 MB copying would take more than writing does.
    private static let leastPages: Int64 = 1_000
    /// The pages may all be new to the database, which needs as much again for them, and a reader may make the log
    /// longer.
    private static let share: Int64 = 4

    /// The shortest and the longest: see ``LogCopying``.
    let pages: ClosedRange<Int>
    /// To begin with.
    let usual: Int

    /// - Parameters:
    ///   - bytes: the room on the disk for both, beside what the database takes.
    ///   - longest: in pages.
    init(room bytes: Int64, longest: Int) {
        let most = min(longest, Int(max(Self.leastPages, bytes / Self.share / Self.pageBytes)))
        pages = min(Self.fewPages, most)...most
        usual = min(Self.usualPages, most)
    }

    /// That of a connection's log, with the room there is now.
    init(of db: Database, longest: Int) { self.init(room: LogPlace(of: db)?.room ?? .max, longest: longest) }

    /// To how many bytes the log's file may be brought before they are needed. None of them beyond its share of a small
    /// disk.
    static func mostReserved(room bytes: Int64) -> Int64 { min(Int64(mostPages) * pageBytes, bytes / share) }

    /// Has the connection shorten a log that was longer, once it begins at its start again.
    func limitFile(_ db: Database) throws {
        // A commit may go beyond, and a frame is a little longer than its page.
        try db.execute(sql: "PRAGMA journal_size_limit = \(Int64(pages.upperBound) * Self.pageBytes * 5 / 4)")
    }
}
