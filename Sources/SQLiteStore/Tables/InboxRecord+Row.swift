import Deliveries
import Inbox

extension InboxRecord {
    /// Finds the inbox of the user whose id is the query's argument.
    static let query = """
        SELECT id, epoch, seq, unread, unseen, total, devices, settings, profile, device_locale, device_zone
        FROM inbox_state WHERE user = ?
        """

    /// - Parameter row: of the ``query``.
    init(_ row: StoredRow) {
        var row = CheckedRow(row)
        let id = row.count(0)
        let state = InboxState(
            epoch: row.text(1), seq: row.count(2), unread: row.count(3), unseen: row.count(4), total: row.count(5))
        let devices = row.count(6)
        let person = Person(
            settings: row.optionalText(7), profile: row.optionalText(8),
            device: Reader(locale: row.optionalText(9), zone: row.optionalText(10)), onDamage: { row.note() })
        self.init(id: id, state: state, devices: devices, person: person, isDamaged: row.isDamaged)
    }

}
