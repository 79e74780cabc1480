import Deliveries
import Inbox
import Store

/// A publication that waits for its commit. Nearly all writes of a busy store are publications, so they have a type of
/// their own, in one piece.
final class PublishWrite: Write {
    let rows: Int
    var isRehearsal: Bool { false }
    var owner: String? { publication.publisher }
    private let publication: Publication
    private let completion: @Sendable (Result<[PublishOutcome], StoreError>) -> Void

    init(_ publication: Publication, completion: @escaping @Sendable (Result<[PublishOutcome], StoreError>) -> Void) {
        rows = publication.rows
        (self.publication, self.completion) = (publication, completion)
    }

    func gatherKeys(into keys: inout [EventKey]) {
        // By index: taking an entry out would copy it.
        for place in publication.entries.indices {
            guard let key = publication.entries[place].routed.event.key else { continue }
            keys.append(EventKey(key, of: publication.publisher))
        }
    }

    /// Reads notifications only through ``OpenTransaction``, so rows of earlier publishes need not be written first.
    func perform(in open: OpenTransaction) throws -> WriteReport {
        .published(try PublishWriter(open: open, knownKeys: open.knownKeys).publish(publication), to: completion)
    }

    func fail(_ reason: StoreError) { completion(.failure(reason)) }
}
