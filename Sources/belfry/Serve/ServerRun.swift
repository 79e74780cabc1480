import Gateway
import Logging
import Transport

/// One run of a server, from its start to its end, with its signals and the service manager.
struct ServerRun: Sendable {
    private enum Outcome: Sendable {
        case started(Server)
        /// Stopped by the signal with this name.
        case stopped(String)
        /// A task beside the server has ended.
        case ended
    }

    /// How often the key files are checked.
    private static let keyCheckInterval = Duration.seconds(10)

    private let signals: ServerSignals
    private let notification: ServiceNotification?
    private let logger: Logger

    init(signals: ServerSignals, notification: ServiceNotification?, _ logger: Logger) {
        self.signals = signals
        self.notification = notification
        self.logger = logger
    }

    /// Returns when the server has ended. A signal during the start ends the run without a server.
    func run(_ start: @escaping @Sendable () async throws -> Server) async throws {
        // A reload that is requested during the start is done as soon as there is a server.
        let (wishes, continuation) = AsyncStream.makeStream(of: Void.self)
        try await withThrowingTaskGroup(of: Outcome.self) { group in
            group.addTask { .stopped(await signals.run { continuation.yield() }) }
            group.addTask { .started(try await start()) }
            var server: Server?
            while let outcome = try await group.next() {
                switch outcome {
                case .started(let started):
                    server = started
                    try await tell(started)
                    group.addTask { await look(started) }
                    group.addTask { await reload(started, wishes) }
                    group.addTask {
                        await started.reloads.run()
                        return .ended
                    }
                    group.addTask { await feedWatchdog(started) }
                case .stopped(let name):
                    await withCheckedContinuation { stopped in
                        if let server {
                            server.stop(reason: name) { stopped.resume() }
                        } else {
                            stopped.resume()
                        }
                        // From here on, no reload calls the server ready.
                        notification?.stopping()
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
        var served: Logger.Metadata = [
            "version": "\(Release.version)", "listen": "\(server.addresses.listen)",
            "ops": "\(server.addresses.ops)", "socket": "\(server.addresses.socket)",
            "shards": "\(server.shardCount)",
        ]
        if let store = try server.node.settings.store.address() { served["store"] = "\(store)" }
        if let publishing = server.addresses.publishing { served["publishing"] = "\(publishing)" }
        logger.info("serving", metadata: served)
        if server.node.settings.publishers.isEmpty {
            logger.info("the settings name no publishers: whoever may open the Unix socket may do everything")
        }
        if server.node.settings.isDevelopment { try Welcome.print(server) }
        notification?.ready()
    }

    // MARK: Beside the server

    private func look(_ server: Server) async -> Outcome {
        // Ends by cancellation: the sleep throws then.
        while (try? await Task.sleep(for: Self.keyCheckInterval)) != nil { server.reloads.look() }
        return .ended
    }

    /// Passes on reload signals; the log tells the results.
    private func reload(_ server: Server, _ wishes: AsyncStream<Void>) async -> Outcome {
        for await _ in wishes where server.node.isReady {
            notification?.reloading()
            // A server that leaves is not ready again, whatever it still reads.
            let tell: @Sendable () -> Void = { if server.node.isReady { notification?.ready() } }
            let isTaken = server.reloads.ask { _ in tell() }
            // Reloads that wait already will find the change.
            if !isTaken { tell() }
        }
        return .ended
    }

    /// Reports to the service manager that the process is well, while all its shards answer.
    private func feedWatchdog(_ server: Server) async -> Outcome {
        guard let notification, let interval = notification.watchdogInterval else { return .ended }
        while (try? await Task.sleep(for: interval)) != nil {
            if server.pulse.beat() { notification.watchdog() }
        }
        return .ended
    }
}
