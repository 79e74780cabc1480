package import Inbox
import JSON

/// Takes one event out of the batches that contain it. Notifications that shared a content share the rest of it.
package struct Unbatching {
    private struct Shrinking: Hashable {
        let content: Int64
        let variant: ContentVariant
    }

    private let event: Event?
    package let id: String
    private let time: Timestamp
    private let catalog: Catalog?
    /// Whether the event had data for single people, which is not kept.
    private let hadOwnData: Bool
    private var written: [Shrinking: WrittenContent] = [:]

    package init(_ row: TrailedKey, _ catalogs: CatalogSet) {
        id = row.place.event
        time = row.time
        catalog = catalogs.catalog(forEvent: row.type)
        hadOwnData = row.data?["own"]?.bool ?? false
        event = row.data.flatMap { data in
            // Without a batch only the items that it published were kept.
            guard let own = data["data"]?.object else { return nil }
            return Event(type: row.type, actor: data["actor"]?.object, data: own)
        }
    }

    /// The batch without the event; nil if nothing else is in it.
    ///
    /// A batch stays as it is if the event cannot be told apart in it. Either the catalog no longer knows the event, or
    /// the event's data for this person alone went into the batch together with other events.
    package func rest(of batch: Batch, of record: NotificationRecord, as type: String?) -> Batch? {
        // At revision 1 a batch holds a single event.
        if hadOwnData { return record.rev == 1 ? nil : batch }
        guard let event, let type = self.type(type),
            let own = type.content(for: event, at: time, growing: nil).batch
        else { return batch }
        return batch.removing(own)
    }

    /// The written content for that batch; nil if it cannot be rendered any more.
    package mutating func content(
        showing batch: Batch, instead of: Int64, as type: String?, _ reader: Reader, _ open: OpenTransaction
    ) throws -> WrittenContent? {
        guard !hadOwnData, let event, let type = self.type(type), type.canShow(event) else { return nil }
        let shrinking = Shrinking(content: of, variant: type.variant(for: reader, own: nil))
        if let written = written[shrinking] { return written }
        let content = type.content(for: event, reader: reader, showing: batch)
        let written = WrittenContent(
            id: try open.contents.insert(content, event: id, actor: event.actorID), content: content)
        self.written[shrinking] = written
        return written
    }

    private func type(_ name: String?) -> NotificationType? { name.flatMap { catalog?.notificationType(named: $0) } }
}
