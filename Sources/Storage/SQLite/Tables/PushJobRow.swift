import GRDB
import Inbox

/// A row of `push_job`.
struct PushJobRow {
    let place: PushTurns.Place
    let failures: Int
    let expiry: Timestamp
    let foldKey: String?
    /// The first notification of the fold that it was handed out in.
    let fold: Int64?
    /// Its collapse id, where that is not its notification's own.
    let collapse: String?
    let withdrawn: [String]
    /// The publisher's word: after this it is worth nothing.
    let deadline: Timestamp?
    /// Whether an earlier push of the notification is on the screen.
    let isShown: Bool
    /// The collapse id under which it is, where that is not the one with which this one leaves.
    let shownAs: String?

    static let columns =
        "place, number, failures, expiry, fold_key, fold, collapse, withdrawn, deadline, is_shown, shown_as"

    /// - Parameter row: of ``columns``.
    init(_ row: StoredRow) throws {
        place = try PushTurns.Place(row)
        failures = Int(try row.int(2))
        expiry = Timestamp(milliseconds: try row.int(3))
        foldKey = try row.optionalText(4)
        fold = try row.optionalInt(5)
        collapse = try row.optionalText(6)
        withdrawn = PushJobTable.ids(try row.optionalText(7))
        deadline = try row.optionalInt(8).map(Timestamp.init(milliseconds:))
        isShown = try row.bool(9)
        shownAs = try row.optionalText(10)
    }
}

extension PushTurns.Place {
    /// - Parameter row: begins with `place` and `number`.
    init(_ row: StoredRow) throws {
        self.init(
            position: QueuePlace(rawValue: try row.int(0)), number: PushJobNumber(rawValue: try row.int(1)))
    }
}
