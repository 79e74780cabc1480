import Inbox

/// A publication that waits for its commit: by itself, as nearly all writes of a busy store are, and in one piece.
final class PublishWrite: Write {
    let rows: Int
    var isRehearsal: Bool { false }
    var isPromised: Bool { true }
    private let publication: Publication
    private let completion: @Sendable (Result<[PublishOutcome], StoreError>) -> Void

    init(_ publication: Publication, completion: @escaping @Sendable (Result<[PublishOutcome], StoreError>) -> Void) {
        rows = publication.rows
        (self.publication, self.completion) = (publication, completion)
    }

    func gatherKeys(into keys: inout [KeyTable.Name]) {
        // By their places: an entry that is taken out is copied.
        for place in publication.entries.indices {
            guard let key = publication.entries[place].routed.event.key else { continue }
            keys.append(KeyTable.Name(key, of: publication.publisher))
        }
    }

    func gatherUsers(into users: inout [UserID]) {
        for place in publication.entries.indices {
            for route in publication.entries[place].routed.routes { users += route.list.users }
        }
    }

    /// Looks at notifications only through ``OpenTransaction``: what publishes before it have added need not be written
    /// first.
    func perform(in open: OpenTransaction) throws -> WriteReport {
        .published(try PublishWriter(open: open, knownKeys: open.knownKeys).publish(publication), to: completion)
    }

    func fail(_ reason: StoreError) { completion(.failure(reason)) }
}
