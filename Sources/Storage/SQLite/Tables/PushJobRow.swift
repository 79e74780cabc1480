import GRDB
import Inbox

/// A row of `push_job`.
struct PushJobRow {
    /// What most rows have nothing of. By reference, so that passing a row on counts one thing instead of five.
    private final class More {
        let collapse: String?
        let foldKey: String?
        let fold: Int64?
        let withdrawn: [String]
        let isShown: Bool
        let shownAs: String?

        init(collapse: String) {
            self.collapse = collapse
            (foldKey, fold, withdrawn, isShown, shownAs) = (nil, nil, [], false, nil)
        }

        init(_ row: inout CheckedRow) {
            collapse = row.optionalText(5)
            foldKey = row.optionalText(7)
            fold = row.optionalCount(8)
            withdrawn = PushJobTable.ids(row.optionalText(9))
            isShown = row.flag(10)
            shownAs = row.optionalText(11)
        }
    }

    let place: PushTurns.Place
    let failures: Int
    let expiry: Timestamp
    /// The publisher's word: after this it is worth nothing.
    let deadline: Timestamp?
    /// The row of the content with which its notification came, and which it has still; nil where the notification
    /// tells.
    let newContent: Int64?
    /// Whether it is damaged: it is given up.
    let isDamaged: Bool
    private let more: More?

    var foldKey: String? { more?.foldKey }
    /// The first notification of the fold that it was handed out in.
    var fold: Int64? { more?.fold }
    /// Its collapse id, where that is not its notification's own.
    var collapse: String? { more?.collapse }
    var withdrawn: [String] { more?.withdrawn ?? [] }
    /// Whether an earlier push of the notification is on the screen.
    var isShown: Bool { more?.isShown ?? false }
    /// The collapse id under which it is, where that is not the one with which this one leaves.
    var shownAs: String? { more?.shownAs }

    private static let ordinary = "place, number, failures, expiry, deadline, collapse, content"
    static let columns = "\(ordinary), fold_key, fold, withdrawn, is_shown, shown_as"
    /// Without those that few rows have anything in: only whether a row has.
    static let plainColumns = """
        \(ordinary), is_shown OR coalesce(fold_key, fold, withdrawn, shown_as) IS NOT NULL
        """

    /// - Parameter row: of ``columns``.
    init(_ row: StoredRow) throws {
        let place = try PushTurns.Place(row)
        var row = CheckedRow(row)
        let more = More(&row)
        self.init(place, &row, more)
    }

    /// Nil if there is more to it.
    /// - Parameter row: of ``plainColumns``.
    init?(plain row: StoredRow) throws {
        if try row.bool(7) { return nil }
        let place = try PushTurns.Place(row)
        var row = CheckedRow(row)
        let more = row.optionalText(5).map(More.init(collapse:))
        self.init(place, &row, more)
    }

    private init(_ place: PushTurns.Place, _ row: inout CheckedRow, _ more: More?) {
        self.place = place
        // So many that no push is tried as often, and few enough to reckon with.
        failures = Int(min(row.count(2), 1_000))
        expiry = row.time(3)
        deadline = row.optionalTime(4)
        newContent = row.optionalCount(6)
        isDamaged = row.isDamaged
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
