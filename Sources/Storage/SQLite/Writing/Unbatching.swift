import Inbox
import JSON

/// Takes one event out of the batches that have taken it in. Notifications that shared a content share what is left of
/// it.
struct Unbatching {
    private struct Shrinking: Hashable {
        let content: Int64
        let variant: ContentVariant
    }

    private let event: Event?
    let id: String
    private let time: Timestamp
    private let catalog: Catalog?
    /// Whether some of its people had data of their own, which nobody has kept.
    private let hadOwnData: Bool
    private var written: [Shrinking: WrittenContent] = [:]

    init(_ row: TrailEventTable.Keyed, _ catalogs: CatalogSet) {
        id = row.place.event
        time = row.time
        catalog = catalogs.catalog(forEvent: row.type)
        hadOwnData = row.data?["own"]?.bool ?? false
        event = row.data.flatMap { data in
            // Without a batch only what it has published is kept.
            guard let own = data["data"]?.object else { return nil }
            return Event(type: row.type, actor: data["actor"]?.object, data: own)
        }
    }

    /// What the batch holds beside the event; nil if that is nothing.
    ///
    /// A batch from which the event cannot be told apart stays as it is: the catalog knows it no more, or what it said
    /// to this person alone went into it, with other events.
    func rest(of batch: Batch, of record: NotificationRecord, as type: String?) -> Batch? {
        // The first of its contents is that of one event.
        if hadOwnData { return record.rev == 1 ? nil : batch }
        guard let event, let type = self.type(type),
            let own = type.content(for: event, at: time, growing: nil).batch
        else { return batch }
        return batch.removing(own)
    }

    /// The content with that batch, written; nil if the catalog of today cannot render it.
    mutating func content(
        showing batch: Batch, instead of: Int64, as type: String?, _ reader: Reader, _ open: OpenTransaction
    ) throws -> WrittenContent? {
        guard !hadOwnData, let event, let type = self.type(type), type.canShow(event) else { return nil }
        let shrinking = Shrinking(content: of, variant: type.variant(for: reader, own: nil))
        if let written = written[shrinking] { return written }
        let content = type.content(for: event, reader: reader, showing: batch)
        let written = WrittenContent(
            id: try open.newRows.insert(content, event: id, actor: event.actorID), content: content)
        self.written[shrinking] = written
        return written
    }

    private func type(_ name: String?) -> NotificationType? { name.flatMap { catalog?.notificationType(named: $0) } }
}
