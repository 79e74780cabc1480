import Inbox
package import Store

/// A publication that waits for its commit. Nearly all writes of a busy store are publications, so they have a type of
/// their own, in one piece.
package final class PublishWrite: Write {
    package let rows: Int
    package var isRehearsal: Bool { false }
    package var owner: String? { publication.publisher }
    private let publication: Publication
    private let completion: @Sendable (Result<[PublishOutcome], StoreError>) -> Void

    package init(
        _ publication: Publication, completion: @escaping @Sendable (Result<[PublishOutcome], StoreError>) -> Void
    ) {
        rows = publication.rows
        (self.publication, self.completion) = (publication, completion)
    }

    package func gatherKeys(into keys: inout [EventKey]) {
        // By index: taking an entry out would copy it.
        for place in publication.entries.indices {
            guard let key = publication.entries[place].routed.event.key else { continue }
            keys.append(EventKey(key, of: publication.publisher))
        }
    }

    package func gatherPeople(into people: inout ExpectedPeople, in open: OpenTransaction) {
        PublishWriter(open: open, knownKeys: open.knownKeys).gatherPeople(of: publication, into: &people)
    }

    package func gatherBatches(into batches: inout [(inbox: Int64, key: String)], in open: OpenTransaction) throws {
        try PublishWriter(open: open).gatherBatches(of: publication, into: &batches)
    }

    /// Reads notifications only through ``OpenTransaction``, so rows of earlier publishes need not be written first.
    package func perform(in open: OpenTransaction) throws -> WriteReport {
        .published(try PublishWriter(open: open, knownKeys: open.knownKeys).publish(publication), to: completion)
    }

    package func fail(_ reason: StoreError) { completion(.failure(reason)) }
}
