import Inbox
import Logging
import Push
import SQLiteStore
import Store
import Transport

/// Opens the store that the settings name, and waits for what may take a while.
struct StoreOpening: Sendable {
    let settings: Settings
    let presence: Presence
    let failures: StoreFailures
    /// Nil without traces.
    let tracer: Tracer?
    let clock: NodeClock
    /// Whether to wait for a folder that another process has: as long as that process may take to leave, and half a
    /// minute more.
    let waits: Bool
    let logger: Logger

    func open() async throws -> OpenedStore {
        if let address = try settings.store.address() {
            try await openPostgres(address)
        } else {
            try await openSQLite()
        }
    }

    /// The settings of the rules, which are the same for each engine.
    var rules: StoreOptions {
        var rules = StoreOptions(
            makeEpoch: RandomName.epoch, isLive: { [presence] in presence.isLive($0, at: .now) },
            isConnected: { [presence] in presence.isConnected($0) })
        rules.clock = { [clock] in clock.now }
        rules.clockMoved = { [clock] in clock.moved }
        if let tracer { rules.isTraced = { tracer.isTraced($0, $1) } }
        rules.webhooks = settings.webhookRule
        rules.grace = settings.push.grace
        rules.pushExpiry = settings.push.expiry
        rules.badgeDelay = settings.push.badgeDelay
        rules.activityStartsPerHour = settings.push.activityStartsPerHour
        rules.activityPressingPerHour = settings.push.activityUrgentPerHour
        rules.providers = settings.services.providers
        rules.trailLifetime = settings.trail.keep
        rules.maximumRows = Int64(settings.inbox.maximum)
        rules.readCountsAsLook = settings.inbox.readCountsAsLook
        return rules
    }

    /// Opens what one process at a time may have of a data folder.
    ///
    /// - Returns: what was opened, and whether another process had it before.
    func whenFolderIsFree<Opened>(_ open: () throws -> Opened) async throws -> (opened: Opened, hasWaited: Bool) {
        let end = ContinuousClock.now + settings.drain.deadline + .seconds(30)
        var hasWaited = false
        while true {
            do {
                return (try open(), hasWaited)
            } catch StoreOpenError.folderInUse(let path) {
                guard waits else {
                    throw ServerError(
                        "\(StoreOpenError.folderInUse(path: path)); or give --takeover to wait until it leaves")
                }
                guard ContinuousClock.now < end else { throw StoreOpenError.folderInUse(path: path) }
                if !hasWaited { logger.info("waiting for the other process to leave", metadata: ["data": "\(path)"]) }
                hasWaited = true
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }

    /// Treats people as connected for a while, since sessions of an earlier process are on their way back.
    ///
    /// - Parameters:
    ///   - isNew: in a new store no user can have been connected.
    ///   - hasWaited: sessions of a leaving process keep their connections until its deadline.
    func settle(isNew: Bool, hasWaited: Bool) {
        let span = hasWaited ? max(Settling.span, settings.drain.deadline) : Settling.span
        presence.settle(from: .now, for: isNew ? .zero : span)
    }
}
