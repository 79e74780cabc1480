import Deliveries
import Inbox

extension LoggedChange {
    /// The columns `kind`, `reference` and `ids`.
    var columns: (kind: Int64, reference: Int64?, ids: String?) {
        switch self {
        case .update(let id): (1, id, nil)
        case .read(.ids(let ids)): (2, nil, Self.text(ids))
        case .read(.upTo(let seq)): (3, seq, nil)
        case .seen(let seq): (4, seq, nil)
        case .removed(.ids(let ids)): (5, nil, Self.text(ids))
        case .removed(.upTo(let seq)): (6, seq, nil)
        case .gone: (7, nil, nil)
        case .raised(let id, let place): (8, id, String(place))
        }
    }

    /// Reads ``columns``; nil for anything else.
    init?(kind: Int64, reference: Int64?, ids: String?, inbox: Int64) {
        if kind == 8 {
            guard let id = reference, let place = ids.flatMap({ Int64($0) }) else { return nil }
            self = .raised(id, from: place)
            return
        }
        switch (kind, reference, ids.map { Self.ids($0, inbox: inbox) }) {
        case (1, let id?, _): self = .update(id)
        case (2, _, let ids?): self = .read(.ids(ids))
        case (3, let seq?, _): self = .read(.upTo(seq))
        case (4, let seq?, _): self = .seen(upTo: seq)
        case (5, _, let ids?): self = .removed(.ids(ids))
        case (6, let seq?, _): self = .removed(.upTo(seq))
        case (7, _, _): self = .gone
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
