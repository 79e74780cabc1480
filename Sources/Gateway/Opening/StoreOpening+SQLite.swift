import Glibc
import Inbox
import Logging
import SQLiteStore
import Store
import Transport

extension StoreOpening {
    /// The store in the data folder.
    func openSQLite() async throws -> OpenedStore {
        let options = options()
        let isNew = access(file, F_OK) != 0
        let (store, hasWaited) = try await whenFolderIsFree {
            try SQLiteStore(folder: settings.data, options: options)
        }
        settle(isNew: isNew, hasWaited: hasWaited)
        return OpenedStore(store: store)
    }

    private var file: String { settings.data + "/belfry.sqlite" }

    private func options() -> SQLiteStoreOptions {
        var options = SQLiteStoreOptions(rules)
        options.commitInterval = settings.store.commitInterval
        options.rememberedInboxes = settings.inbox.rememberedInboxes
        options.rememberedChangeBytes = settings.inbox.rememberedChangeBytes
        options.onRelease = Heap.giveBackFreed
        options.onFailure = failures.note
        let (file, logger) = (file, logger)
        options.onMigration = {
            logger.info(
                """
                bringing the store up to date with this version: a large store takes a while, and an interrupted start continues \
                after the last whole step
                """,
                metadata: ["file": "\(file)"])
        }
        options.onLostCommits = { survey, since in
            logger.log(
                level: survey.mayBeOfPowerFailure ? .warning : .critical,
                survey.mayBeOfPowerFailure
                    ? """
                    the store's log ends in a commit that is not whole, which is left out. After a power failure all is well, as \
                    nobody was told of it; after anything else, publish all events since then again under their keys \
                    (docs/operations.md, "A damaged store")
                    """
                    : """
                    the store's log is damaged, and the last commits are lost: publish all events since then again under their \
                    keys, or restore a backup (docs/operations.md, "A damaged store")
                    """,
                metadata: [
                    "file": "\(file)-wal", "frame": "\(survey.damagedFrame)", "commits": "\(survey.lostCommits)",
                    "since": "\(since.map(\.iso8601) ?? "the beginning")",
                ])
        }
        options.onDamage = { code, message in
            logger.critical(
                """
                the store is damaged and accepts no more writes: stop this server, and follow the steps for the code \
                (docs/operations.md, "A damaged store")
                """,
                metadata: ["file": "\(file)", "code": "\(code)", "error": "\(message)"])
        }
        options.onDamagedRow = { row in
            logger.error(
                """
                a row of the store is damaged and is left out: check the disk, and restore a backup or remove the row \
                (docs/operations.md, "A damaged row")
                """,
                metadata: ["file": "\(file)", "table": "\(row.table)", "row": "\(row.key)"])
        }
        return options
    }
}
