import Gateway
import Logging
import Transport

/// One run of a server, from its start to its end: what signals and the service manager have to do with it.
struct ServerRun: Sendable {
    private enum Outcome: Sendable {
        case started(Server)
        /// By the signal of that name.
        case stopped(String)
        /// Something beside the server is over.
        case ended
    }

    /// How often the key files are looked at.
    private static let keyCheckInterval = Duration.seconds(10)

    private let signals: ServerSignals
    private let notification: ServiceNotification?
    private let logger: Logger

    init(signals: ServerSignals, notification: ServiceNotification?, _ logger: Logger) {
        self.signals = signals
        self.notification = notification
        self.logger = logger
    }

    /// Returns when the server has ended. A signal during the start ends the run without one.
    func run(_ start: @escaping @Sendable () async throws -> Server) async throws {
        let (wishes, continuation) = AsyncStream.makeStream(of: Reload.self)
        try await withThrowingTaskGroup(of: Outcome.self) { group in
            group.addTask { .stopped(await signals.run { continuation.yield(.asked) }) }
            group.addTask { .started(try await start()) }
            var server: Server?
            while let outcome = try await group.next() {
                switch outcome {
                case .started(let started):
                    server = started
                    try await tell(started)
                    group.addTask { await look(continuation) }
                    group.addTask { await reload(started, wishes) }
                    group.addTask { await feedWatchdog(started) }
                case .stopped(let name):
                    notification?.stopping()
                    if let server {
                        await withCheckedContinuation { stopped in server.stop(reason: name) { stopped.resume() } }
                    }
                    group.cancelAll()
                    return logger.info("stopped")
                case .ended: break
                }
            }
        }
    }

    private func tell(_ server: Server) async throws {
        for note in server.node.authenticator.notes { logger.warning("\(note)") }
        logger.info(
            "serving",
            metadata: [
                "version": "\(Release.version)", "listen": "\(server.addresses.listen)",
                "ops": "\(server.addresses.ops)", "socket": "\(server.addresses.socket)",
            ])
        if server.node.settings.isDevelopment { try await Welcome.print(server) }
        notification?.ready()
    }

    // MARK: Beside the server

    /// Why files are read again.
    private enum Reload: Sendable {
        case asked, looked
    }

    private func look(_ wishes: AsyncStream<Reload>.Continuation) async -> Outcome {
        // Ends by being cancelled, which is what the sleep throws then.
        while (try? await Task.sleep(for: Self.keyCheckInterval)) != nil { wishes.yield(.looked) }
        return .ended
    }

    /// One wish after the other.
    private func reload(_ server: Server, _ wishes: AsyncStream<Reload>) async -> Outcome {
        for await wish in wishes {
            switch wish {
            case .looked: await server.reloadKeys()
            case .asked:
                notification?.reloading()
                server.reloadCertificate()
                await server.reloadKeys()
                await server.reloadPushKeys()
                notification?.ready()
            }
        }
        return .ended
    }

    /// Says that the process is well for as long as all of its shards answer.
    private func feedWatchdog(_ server: Server) async -> Outcome {
        guard let notification, let interval = notification.watchdogInterval else { return .ended }
        while (try? await Task.sleep(for: interval)) != nil {
            if server.pulse.beat() { notification.watchdog() }
        }
        return .ended
    }
}
