import Dispatch
import Foundation
import Glibc
import Logging
import Postgres
import PostgresStore
import SQLiteStore
import Store

extension StoreOpening {
    /// The store in PostgreSQL.
    ///
    /// The data folder is this process's alone all the same: the publishers' socket and secrets are there.
    func openPostgres(_ address: PostgresAddress) async throws -> OpenedStore {
        let (lock, hasWaited) = try await whenFolderIsFree { try FolderLock(folder: settings.data) }
        if access(settings.data + "/belfry.sqlite", F_OK) == 0 {
            logger.warning(
                "the data folder has a store in SQLite, which is not used: the settings name a store in PostgreSQL",
                metadata: ["data": "\(settings.data)"])
        }
        let address = try settings.store.withPassword(address).named("belfry \(settings.nodeName)")
        let store = try await whenReached(address)
        // Where others had a lease, the database still knows whose sessions are on their way.
        settle(isNew: store.isNew || store.hasOthers, hasWaited: hasWaited)
        return OpenedStore(
            store: store, outbox: store.outbox, clock: { [clock = store.clock] in clock.now },
            release: { lock.release() })
    }

    private func whenReached(_ address: PostgresAddress) async throws -> PostgresStore {
        var options = PostgresStoreOptions(rules)
        options.node = settings.nodeName
        options.onFailure = failures.note
        if settings.store.pollInterval > .zero {
            options.wakeUps = .poll(settings.store.pollInterval)
        } else if let address = try settings.store.listenAddress() {
            options.wakeUps = .listen(try settings.store.withPassword(address).named("belfry \(settings.nodeName)"))
        }
        // The nodes' clocks may differ, and pushes wait for all of them by one.
        options.rules.clock = { [clock = options.clock] in clock.now }
        options.rules.clockMoved = nil
        var wait = DatabaseWait(from: .now)
        while true {
            do {
                return try await Self.connect(address, options)
            } catch let failure as PostgresFailure {
                guard case .tryAgain(let isNews) = wait.judge(failure, at: .now) else {
                    throw ServerError("the store \(address) cannot be opened: \(failure); \(failure.advice)")
                }
                if isNews {
                    logger.notice(
                        "waiting for the database", metadata: ["store": "\(address)", "reason": "\(failure)"])
                }
                try await Task.sleep(for: DatabaseWait.pause)
            } catch {
                throw ServerError("the store \(address) cannot be opened: \(error)")
            }
        }
    }

    /// On a thread of its own, since it blocks.
    private static func connect(
        _ address: PostgresAddress, _ options: PostgresStoreOptions
    ) async throws -> PostgresStore {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try PostgresStore(address, options) })
            }
        }
    }
}
