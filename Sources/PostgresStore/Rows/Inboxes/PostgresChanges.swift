import Deliveries
import Inbox
import Postgres

/// The last changes of each inbox.
final class PostgresChanges: PostgresPart, ChangeRows {
    var length: Int64 { rows.changeLogLength }

    func append(_ change: LoggedChange, _ stamp: ChangeStamp, inbox: Int64) throws {
        rows.gathered.append(change, stamp, inbox: inbox)
    }

    func remove(upTo seq: Int64, inbox: Int64) throws { rows.gathered.trim(inbox: inbox, upTo: seq) }
}
