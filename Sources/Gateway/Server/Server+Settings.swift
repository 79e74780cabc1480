import Glibc
import Inbox
import Logging
import Push
import SQLiteStore
import Store
import Transport

/// Makes the parts of a server from its settings.
extension Server {
    static func shardCount(_ settings: Settings) -> Int {
        settings.shards > 0 ? settings.shards : UsableProcessors.count
    }

    /// Opens the store.
    ///
    /// - Parameter waits: whether to wait for a folder that another process has: as long as that process may take to
    ///   leave, and half a minute more.
    static func store(
        _ settings: Settings, presence: Presence, failures: StoreFailures, clock: NodeClock, waits: Bool,
        _ logger: Logger
    ) async throws -> any Store {
        var options = SQLiteStoreOptions(
            makeEpoch: RandomName.epoch, isLive: { presence.isLive($0, at: .now) },
            isConnected: { presence.isConnected($0) })
        options.clock = { clock.now }
        options.commitInterval = settings.store.commitInterval
        options.grace = settings.push.grace
        options.pushExpiry = settings.push.expiry
        options.badgeDelay = settings.push.badgeDelay
        options.providers = settings.services.providers
        options.trailLifetime = settings.trail.keep
        options.maximumRows = Int64(settings.inbox.maximum)
        options.readCountsAsLook = settings.inbox.readCountsAsLook
        options.rememberedInboxes = settings.inbox.rememberedInboxes
        options.rememberedChangeBytes = settings.inbox.rememberedChangeBytes
        options.onRelease = FreedMemory.giveBack
        options.onFailure = failures.note
        let file = settings.data + "/belfry.sqlite"
        options.onMigration = {
            logger.info(
                """
                bringing the store up to date with this version: a large store takes a while, and an interrupted start continues \
                after the last whole step
                """,
                metadata: ["file": "\(file)"])
        }
        options.onLostCommits = { survey, since in
            logger.critical(
                """
                the store's log is damaged, and the last commits are lost: publish all events since then again under their keys, or \
                restore a backup (docs/operations.md, "A damaged store")
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
        // In a new store no user can have been connected.
        let wasUsed = access(file, F_OK) == 0
        let end = ContinuousClock.now + settings.drain.deadline + .seconds(30)
        var hasTold = false
        while true {
            do {
                let store = try SQLiteStore(folder: settings.data, options: options)
                // Sessions of a leaving process keep their connections until its deadline.
                let settling = hasTold ? max(Settling.span, settings.drain.deadline) : Settling.span
                presence.settle(from: .now, for: wasUsed ? settling : .zero)
                return store
            } catch StoreOpenError.folderInUse(let path) {
                guard waits else {
                    throw ServerError(
                        "\(StoreOpenError.folderInUse(path: path)); or give --takeover to wait until it leaves")
                }
                guard ContinuousClock.now < end else { throw StoreOpenError.folderInUse(path: path) }
                if !hasTold { logger.info("waiting for the other process to leave", metadata: ["data": "\(path)"]) }
                hasTold = true
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }

    /// Moves everything that waits along when the wall clock is set, or the process has slept.
    static func start(_ clock: NodeClock, _ node: Node, _ dispatcher: PushDispatcher) {
        clock.start { [store = node.store] jump, completion in
            store.follow(jump, completion: completion)
        } followed: { jump in
            // Proxies, or the clients themselves, may have given up their connections.
            if jump.cause == .sleep { node.presence.settle(from: .now, for: Settling.span) }
            dispatcher.move(by: jump.span)
            tell(jump, node.logger)
        }
    }

    static func tell(_ jump: ClockJump, _ logger: Logger) {
        let what: Logger.Message =
            switch jump.cause {
            case .set: "the machine's clock was set; waiting pushes and batches keep their remaining time"
            case .sleep: "the process did not run for a while; the graces of pushes start again"
            }
        logger.warning(what, metadata: ["seconds": "\(jump.span / .seconds(1))"])
    }
}
