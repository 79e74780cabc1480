import GRDB

/// The limits of the writer's log before its pages are copied to the database.
struct LogLength: Hashable {
    private static let pageBytes: Int64 = 4_096
    /// 256 MB where there is room: an event touches a page of each recipient, and soon many of the same pages again.
    static let mostPages = 64_000
    /// Used until copying has shown how long it takes.
    private static let usualPages = 16_000
    /// In a shorter log, the fixed cost of copying would count for too much, however long copying takes.
    private static let fewPages = 4_000
    /// Below 4 MB copying would take longer than writing does.
    private static let leastPages: Int64 = 1_000
    /// All pages may be new to the database, which then needs as much room again, and a reader may make the log longer.
    private static let share: Int64 = 4

    /// The shortest and the longest limit: see ``LogCopying``.
    let pages: ClosedRange<Int>
    /// The limit to begin with.
    let usual: Int

    /// - Parameters:
    ///   - bytes: the room on the disk for database growth and log together.
    ///   - longest: in pages.
    init(room bytes: Int64, longest: Int) {
        let most = min(longest, Int(max(Self.leastPages, bytes / Self.share / Self.pageBytes)))
        pages = min(Self.fewPages, most)...most
        usual = min(Self.usualPages, most)
    }

    /// The limits for a connection's log, with the room that is free now.
    init(of db: Database, longest: Int) { self.init(room: LogPlace(of: db)?.room ?? .max, longest: longest) }

    /// To how many bytes the log's file may be extended in advance: on a small disk, not beyond the log's share.
    static func mostReserved(room bytes: Int64) -> Int64 { min(Int64(mostPages) * pageBytes, bytes / share) }

    /// Lets the connection shorten a longer log once it begins at its start again.
    func limitFile(_ db: Database) throws {
        // A commit may go beyond the limit, and a frame is a little longer than its page.
        try db.execute(sql: "PRAGMA journal_size_limit = \(Int64(pages.upperBound) * Self.pageBytes * 5 / 4)")
    }
}
