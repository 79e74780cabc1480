import Deliveries
import Inbox
import Postgres
import Push

extension PushJobRow {
    static let columns = """
        \(PushTurns.Place.columns), push_job.failures, push_job.expiry, push_job.deadline, push_job.content,
        push_job.collapse, push_job.fold_key, push_job.fold, push_job.withdrawn, push_job.is_shown, push_job.shown_as
        """

    /// How many ``columns`` there are.
    static let width = 15

    /// Nil for a provider that is not known.
    /// - Parameter row: holds the ``columns``.
    init?(_ row: PostgresRow, _ providers: ProviderList) throws {
        guard let place = try PushTurns.Place(row, providers) else { return nil }
        self.init(
            place: place, failures: Int(try row.int64(5)), expiry: Timestamp(milliseconds: try row.int64(6)),
            deadline: try row.int64OrNil(7).map(Timestamp.init(milliseconds:)), newContent: try row.int64OrNil(8),
            isDamaged: false, collapse: try row.textOrNil(9),
            foldKey: try row.bytesOrNil(10).map { String(decoding: $0, as: UTF8.self) }, fold: try row.int64OrNil(11),
            withdrawn: CollapseIDs.read(try row.textOrNil(12)), isShown: try row.bool(13),
            shownAs: try row.textOrNil(14))
    }

    /// Whether it has none of the values that another job's leaving may change.
    var isPlain: Bool { foldKey == nil && fold == nil && withdrawn.isEmpty && !isShown && shownAs == nil }
}

/// Collapse ids in one column, with spaces between them: no id has one.
enum CollapseIDs {
    static func text(_ ids: [String]) -> PostgresValue { .text(stored(ids)) }
    static func stored(_ ids: [String]) -> String? { ids.isEmpty ? nil : ids.joined(separator: " ") }
    static func read(_ text: String?) -> [String] { text?.split(separator: " ").map(String.init) ?? [] }
}

extension PostgresValue {
    /// A text that may hold any character: PostgreSQL's texts hold no U+0000.
    static func utf8(_ text: String?) -> PostgresValue { .bytes(text.map { Array($0.utf8) }) }

    static func time(_ time: Timestamp?) -> PostgresValue { .int64(time?.milliseconds) }
}
