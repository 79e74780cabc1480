import Deliveries
import GRDB
import Inbox
import Push

/// Writes `trail_step`.
struct TrailStepTable {
    private let db: Database
    private let insertion: RowInsertion
    private let remove: Statement

    init(_ db: Database) throws {
        self.db = db
        insertion = RowInsertion(
            db, into: "trail_step", "inbox, notification, at, kind, detail, place, provider, device",
            values: "?, ?, ?, ?, ?, ?, ?, ?")
        remove = try db.statement(
            sql: """
                DELETE FROM trail_step WHERE number IN (SELECT number FROM trail_step WHERE inbox = ? LIMIT ?)
                """)
    }

    func write(_ steps: [TrailRecorder.Step]) throws {
        try insertion.insert(steps) { row, arguments in
            let columns = row.pointee.step.columns
            arguments.append(row.pointee.inbox)
            arguments.append(row.pointee.notification)
            arguments.append(row.pointee.at.milliseconds)
            arguments.append(columns.kind)
            arguments.append(columns.detail)
            arguments.append(columns.place ?? row.pointee.sentAt?.milliseconds)
            arguments.append(row.pointee.provider?.name)
            arguments.append(row.pointee.device)
        }
    }

    /// - Returns: how many rows it removed.
    func remove(inbox: Int64, limit: Int) throws -> Int {
        try remove.execute(arguments: [inbox, limit])
        return remove.changedRows
    }
}

extension TrailStep {
    /// The columns of a step's row.
    struct Columns: Hashable {
        var kind: String
        var detail: String?
        /// A time, or a notification's number. For `withdrawn`, when the push was accepted.
        var place: Int64?
    }

    var columns: Columns {
        switch self {
        case .cancelled(let cause): Columns(kind: "cancelled", detail: cause.rawValue)
        case .dropped(.muted(let subject)): Columns(kind: "dropped", detail: "muted \(subject)")
        case .dropped(.preferenceOff(let chooser)):
            Columns(kind: "dropped", detail: "preferenceOff" + (chooser.map { " \($0.rawValue)" } ?? ""))
        case .dropped(.permission): Columns(kind: "dropped", detail: "permission")
        case .withdrawn(let cause): Columns(kind: "withdrawn", detail: cause.rawValue)
        case .sent: Columns(kind: "sent")
        case .folded(let notification): Columns(kind: "folded", place: notification)
        case .putOff(let time, let delay):
            Columns(kind: "putOff", detail: delay.rawValue, place: time.milliseconds)
        case .refused(let reason): Columns(kind: "refused", detail: reason)
        case .deviceGone: Columns(kind: "deviceGone")
        case .expired: Columns(kind: "expired")
        case .retried(let retry): Columns(kind: "retried", detail: retry.description)
        case .answered(let answer): Columns(kind: "answered", detail: answer.description)
        case .activity(let activity): Columns(kind: "activity", detail: activity.description)
        case .patched: Columns(kind: "patched")
        case .retracted: Columns(kind: "retracted")
        case .shrunk: Columns(kind: "shrunk")
        }
    }

    /// Nil for columns that no step has.
    init?(_ columns: Columns) {
        switch (columns.kind, columns.detail, columns.place) {
        case ("cancelled", let cause?, _):
            guard let cause = Cause(rawValue: cause) else { return nil }
            self = .cancelled(cause)
        case ("dropped", let detail?, _):
            guard let drop = Drop(detail) else { return nil }
            self = .dropped(drop)
        case ("withdrawn", let cause?, _):
            guard let cause = Cause(rawValue: cause) else { return nil }
            self = .withdrawn(cause)
        case ("sent", _, _): self = .sent
        case ("folded", _, let notification?): self = .folded(into: notification)
        case ("putOff", let delay?, let time?):
            guard let delay = Delay(rawValue: delay) else { return nil }
            self = .putOff(until: Timestamp(milliseconds: time), delay)
        case ("refused", let reason?, _): self = .refused(reason: reason)
        case ("deviceGone", _, _): self = .deviceGone
        case ("expired", _, _): self = .expired
        case ("retried", let detail?, _):
            guard let retry = TrailRetry(detail) else { return nil }
            self = .retried(retry)
        case ("answered", let detail?, _):
            guard let answer = TrailAnswer(detail) else { return nil }
            self = .answered(answer)
        case ("activity", let detail?, _):
            guard let activity = TrailActivity(detail) else { return nil }
            self = .activity(activity)
        case ("patched", _, _): self = .patched
        case ("retracted", _, _): self = .retracted
        case ("shrunk", _, _): self = .shrunk
        default: return nil
        }
    }
}

extension TrailStep.Drop {
    /// Nil for a text that is no reason.
    fileprivate init?(_ detail: String) {
        let words = detail.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        switch (words[0], words.dropFirst().first) {
        case ("permission", nil): self = .permission
        case ("preferenceOff", let chooser): self = .preferenceOff(chooser.flatMap(Chooser.init(rawValue:)))
        case ("muted", let subject?): self = .muted(subject)
        default: return nil
        }
    }
}
