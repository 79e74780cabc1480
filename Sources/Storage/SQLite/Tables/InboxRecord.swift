import Inbox

/// An inbox as it is, and what the writer has to know of its row.
struct InboxRecord: Sendable {
    let id: Int64
    var state: InboxState
    /// How many devices the user has.
    var devices: Int64
    /// Nil for somebody of whom nothing is known.
    var person: Person?
    /// Whether its row is: what makes no sense there counts as if it had never been written.
    private(set) var isDamaged = false
    private var written: Written

    /// What only the row can tell, as the row has it.
    private struct Written: Hashable {
        /// How far `seq` is ahead of `total`: adding a notification moves both by one, and nothing else does.
        let lead: Int64
        let devices: Int64
    }

    init(id: Int64, epoch: String) {
        (self.id, state, devices) = (id, InboxState(epoch: epoch), 0)
        written = Written(lead: 0, devices: 0)
    }

    /// Finds the inbox of a user, whose id is the query's argument.
    static let query = """
        SELECT id, epoch, seq, unread, unseen, total, devices, settings, profile, device_locale, device_zone
        FROM inbox_state WHERE user = ?
        """

    /// - Parameter row: of the ``query``.
    init(_ row: StoredRow) {
        var row = CheckedRow(row)
        id = row.count(0)
        let (seq, total) = (row.count(2), row.count(5))
        state = InboxState(
            epoch: row.text(1), seq: seq, unread: row.count(3), unseen: row.count(4), total: total)
        devices = row.count(6)
        person = Person(
            settings: row.optionalText(7), profile: row.optionalText(8),
            device: Reader(locale: row.optionalText(9), zone: row.optionalText(10)), onDamage: { row.note() })
        isDamaged = row.isDamaged
        written = Written(lead: seq - total, devices: devices)
    }

    private var current: Written { Written(lead: state.seq - state.total, devices: devices) }

    /// Whether something has happened since the row was written of which rows of notifications do not tell, see
    /// ``Schema/inboxState``.
    var isOutdated: Bool { written != current }

    /// The same after its row was written.
    var asWritten: InboxRecord {
        var record = self
        record.written = current
        return record
    }
}
