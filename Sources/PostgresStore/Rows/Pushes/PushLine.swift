import Deliveries
import Inbox
import JSON
import Postgres
import Push

/// A row of `push_line`: the device's place in its provider's order, and the push that is on its way to it.
struct PushLine {
    let device: Int64
    let provider: Device.Provider
    /// Before this moment and turn, the device gets nothing. The end of the lease if there is one.
    var nextAt: Int64
    var nextTurn: Int64
    /// No waiting job is due before.
    var firstDue: Int64
    /// Of the job on lease, or of one that was given back.
    var place: PushTurns.Place?
    var lease: (id: Int64, value: PushLeases.Lease)?

    static let columns = """
        push_line.device, push_line.provider, push_line.next_at, push_line.next_turn, push_line.first_due,
        push_line.notification, push_line.due, push_line.turn, push_line.lease, push_line.is_overtaken,
        push_line.parts, push_line.renewals
        """
    /// How many ``columns`` there are.
    static let width = 12

    /// Nil for a provider that is not known.
    /// - Parameter row: begins with the ``columns``.
    init?(_ row: PostgresRow, _ providers: ProviderList) throws {
        guard let provider = providers[place: Int(try row.int64(1))] else { return nil }
        (device, self.provider) = (try row.int64(0), provider)
        (nextAt, nextTurn, firstDue) = (try row.int64(2), try row.int64(3), try row.int64(4))
        guard let notification = try row.int64OrNil(5) else { return }
        let place = PushTurns.Place(
            position: QueuePlace(of: provider, due: try row.int64(6), turn: try row.int64(7)), device: device,
            notification: notification)
        self.place = place
        guard let id = try row.int64OrNil(8) else { return }
        let parts = try row.bytesOrNil(10).map { try LeaseColumns.parts($0, of: device) }
        var lease = PushLeases.Lease(
            place: place, parts: parts?.parts, leaving: parts?.leaving ?? [],
            end: Timestamp(milliseconds: nextAt))
        lease.isOvertaken = try row.bool(9)
        if let renewals = try row.bytesOrNil(11) { lease.renewals = try LeaseColumns.renewals(renewals, of: device) }
        self.lease = (id, lease)
    }

    /// Ends the lease without a result: the job goes first.
    mutating func giveBack() {
        lease = nil
        guard let place else { return }
        (nextAt, nextTurn) = (place.availableAt.milliseconds, place.position.turn)
    }

    // MARK: Writing

    /// Writes lines that are in the table already.
    /// - Parameter node: the one that has the leases which are written.
    static func write(_ lines: [PushLine], by node: Int64, on connection: PostgresConnection) throws {
        try connection.queue(
            """
            UPDATE push_line SET next_at = new.next_at, next_turn = new.next_turn, first_due = new.first_due,
                notification = new.notification, due = new.due, turn = new.turn,
                node = CASE WHEN push_line.lease = new.lease THEN push_line.node WHEN new.lease IS NOT NULL THEN $12 END,
                lease = new.lease,
                is_overtaken = new.is_overtaken = 1, parts = new.parts, renewals = new.renewals
            FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS new (
                device, next_at, next_turn, first_due, notification, due, turn, lease, is_overtaken, parts, renewals)
            WHERE push_line.device = new.device
            """,
            [
                .int64s(lines.map(\.device)), .int64s(lines.map(\.nextAt)), .int64s(lines.map(\.nextTurn)),
                .int64s(lines.map(\.firstDue)), .int64s(lines.map { $0.place?.notification }),
                .int64s(lines.map { $0.place?.availableAt.milliseconds }),
                .int64s(lines.map { $0.place?.position.turn }), .int64s(lines.map { $0.lease?.id }),
                .int64s(lines.map { $0.lease?.value.isOvertaken ?? false ? 1 : 0 }),
                .byteArrays(lines.map { $0.lease.flatMap { LeaseColumns.parts(of: $0.value) } }),
                .byteArrays(lines.map { $0.lease.flatMap { LeaseColumns.renewals(of: $0.value) } }), .int64(node),
            ])
    }
}
