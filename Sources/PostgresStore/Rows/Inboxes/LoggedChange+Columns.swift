import Deliveries
import Inbox

extension LoggedChange {
    /// Those of `change` that tell what happened.
    struct Columns {
        let kind: Int64
        var reference: Int64?
        /// Where a notification stood that came up.
        var place: Int64?
        /// The notifications' numbers, with commas between them.
        var ids: String?
    }

    /// The kind of ``raised(_:from:)``.
    static let raisedKind: Int64 = 8

    var columns: Columns {
        switch self {
        case .update(let id): Columns(kind: 1, reference: id)
        case .read(.ids(let ids)): Columns(kind: 2, ids: Self.text(ids))
        case .read(.upTo(let seq)): Columns(kind: 3, reference: seq)
        case .seen(let seq): Columns(kind: 4, reference: seq)
        case .removed(.ids(let ids)): Columns(kind: 5, ids: Self.text(ids))
        case .removed(.upTo(let seq)): Columns(kind: 6, reference: seq)
        case .gone: Columns(kind: 7)
        case .raised(let id, let place): Columns(kind: Self.raisedKind, reference: id, place: place)
        }
    }

    /// Reads ``columns-swift.property``; nil for anything else.
    init?(_ columns: Columns, inbox: Int64) {
        let ids = columns.ids.map { Self.ids($0, inbox: inbox) }
        switch (columns.kind, columns.reference, ids) {
        case (1, let id?, _): self = .update(id)
        case (2, _, let ids?): self = .read(.ids(ids))
        case (3, let seq?, _): self = .read(.upTo(seq))
        case (4, let seq?, _): self = .seen(upTo: seq)
        case (5, _, let ids?): self = .removed(.ids(ids))
        case (6, let seq?, _): self = .removed(.upTo(seq))
        case (7, _, _): self = .gone
        case (Self.raisedKind, let id?, _):
            guard let place = columns.place else { return nil }
            self = .raised(id, from: place)
        default: return nil
        }
    }

    /// All ids are of one inbox, whose number the row holds already.
    private static func text(_ ids: [NotificationID]) -> String {
        ids.map { String($0.sequence) }.joined(separator: ",")
    }

    private static func ids(_ text: String, inbox: Int64) -> [NotificationID] {
        text.split(separator: ",").compactMap { Int64($0) }.map { NotificationID(inbox: inbox, sequence: $0) }
    }
}
