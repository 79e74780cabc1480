import GRDB
import Inbox

/// A row of `push_job`.
struct PushJobRow {
    /// What most rows have nothing of. By reference, so that passing a row on counts one thing instead of five.
    private final class More {
        let foldKey: String?
        let fold: Int64?
        let collapse: String?
        let withdrawn: [String]
        let deadline: Timestamp?
        let isShown: Bool
        let shownAs: String?

        init(_ row: StoredRow) throws {
            foldKey = try row.optionalText(4)
            fold = try row.optionalInt(5)
            collapse = try row.optionalText(6)
            withdrawn = PushJobTable.ids(try row.optionalText(7))
            deadline = try row.optionalInt(8).map(Timestamp.init(milliseconds:))
            isShown = try row.bool(9)
            shownAs = try row.optionalText(10)
        }
    }

    let place: PushTurns.Place
    let failures: Int
    let expiry: Timestamp
    private let more: More?

    var foldKey: String? { more?.foldKey }
    /// The first notification of the fold that it was handed out in.
    var fold: Int64? { more?.fold }
    /// Its collapse id, where that is not its notification's own.
    var collapse: String? { more?.collapse }
    var withdrawn: [String] { more?.withdrawn ?? [] }
    /// The publisher's word: after this it is worth nothing.
    var deadline: Timestamp? { more?.deadline }
    /// Whether an earlier push of the notification is on the screen.
    var isShown: Bool { more?.isShown ?? false }
    /// The collapse id under which it is, where that is not the one with which this one leaves.
    var shownAs: String? { more?.shownAs }

    private static let always = "place, number, failures, expiry"
    static let columns = "\(always), fold_key, fold, collapse, withdrawn, deadline, is_shown, shown_as"
    /// Without those that most rows have nothing in: only whether a row has.
    static let plainColumns = """
        \(always), is_shown OR coalesce(fold_key, fold, collapse, withdrawn, deadline, shown_as) IS NOT NULL
        """

    /// - Parameter row: of ``columns``.
    init(_ row: StoredRow) throws { try self.init(row, More(row)) }

    /// Nil if there is more to it.
    /// - Parameter row: of ``plainColumns``.
    init?(plain row: StoredRow) throws {
        if try row.bool(4) { return nil }
        try self.init(row, nil)
    }

    private init(_ row: StoredRow, _ more: More?) throws {
        place = try PushTurns.Place(row)
        failures = Int(try row.int(2))
        expiry = Timestamp(milliseconds: try row.int(3))
        self.more = more
    }
}

extension PushTurns.Place {
    /// - Parameter row: begins with `place` and `number`.
    init(_ row: StoredRow) throws {
        self.init(
            position: QueuePlace(rawValue: try row.int(0)), number: PushJobNumber(rawValue: try row.int(1)))
    }
}
