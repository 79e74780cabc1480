import Deliveries
package import Inbox
package import Store

extension SQLiteStore {
    package func openBroadcasts(completion: @escaping @Sendable (Result<[String], StoreError>) -> Void) {
        read(completion) { [damage] db in try BroadcastReader(db, damage).open() }
    }

    package func deliverPage(
        of event: String, at now: Timestamp,
        route: @escaping @Sendable (Event) -> Result<RoutedEvent, EventProblem>,
        completion: @escaping @Sendable (Result<Broadcast?, StoreError>) -> Void
    ) {
        write(rows: options.recipientsPerPage, completion) { open in
            .success(try BroadcastWriter(open: open).deliverPage(of: event, at: now, route: route))
        }
    }

    package func broadcast(
        of event: String, completion: @escaping @Sendable (Result<Broadcast?, StoreError>) -> Void
    ) {
        read(completion) { [damage] db in try BroadcastReader(db, damage).broadcast(of: event) }
    }
}
