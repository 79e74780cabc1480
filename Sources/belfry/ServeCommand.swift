import ArgumentParser
import Gateway
import Glibc
import Inbox
import Logging

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the server.",
        discussion: """
            Settings come from the configuration file, the environment (BELFRY_LISTEN, APNS_KEY_ID, …) and these \
            options; the later win. Config/belfry.yaml explains them all.

            SIGTERM and SIGINT end it in good order: sessions are told to come back, what was taken in is stored and \
            answered.

            Example: belfry serve --config belfry.yaml --data /var/lib/belfry
            """)

    /// How often the key files are looked at.
    private static let keyCheckInterval = Duration.seconds(10)

    @OptionGroup var options: SettingsOptions

    func run() async throws {
        let settings = try options.settings()
        let logger = LogOutput.logger(settings.log)
        logger.debug("settings", metadata: ["settings": "\(settings.redactedDescription)"])
        DescriptorLimit.raise()
        // Inboxes and devices are nobody else's to read, also in a folder that is open to others.
        umask(0o077)
        let server: Server
        let stopSignal: StopSignal
        do {
            stopSignal = try StopSignal()
            let catalogs = try CatalogFiles.load(settings.catalogs)
            if catalogs.catalogs.isEmpty { logger.warning("no catalog is set: all events will be refused") }
            server = try await Server(settings, catalogs: catalogs, logger: logger)
        } catch {
            Terminal.complain("\(error)")
            throw ExitCode.failure
        }
        for note in server.node.authenticator.notes { logger.warning("\(note)") }
        logger.info(
            "serving",
            metadata: [
                "version": "\(Release.version)", "listen": "\(server.addresses.listen)",
                "ops": "\(server.addresses.ops)", "socket": "\(server.addresses.socket)",
            ])
        if settings.isDevelopment { try await Welcome.print(server) }
        await run(server, until: stopSignal, logger)
    }

    private func run(_ server: Server, until stopSignal: StopSignal, _ logger: Logger) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await watchKeys(server.node.authenticator, logger) }
            let name = await stopSignal.received()
            logger.info("leaving", metadata: ["signal": "\(name)"])
            await withCheckedContinuation { continuation in server.stop { continuation.resume() } }
            group.cancelAll()
        }
        logger.info("stopped")
    }

    private func watchKeys(_ authenticator: Authenticator, _ logger: Logger) async {
        // Ends by being cancelled, which is what the sleep throws then.
        while (try? await Task.sleep(for: Self.keyCheckInterval)) != nil {
            switch await authenticator.reloadIfChanged() {
            case .unchanged: break
            case .replaced(let notes):
                logger.info("keys replaced")
                for note in notes { logger.warning("\(note)") }
            case .kept(let problem): logger.error("the old keys still hold: \(problem)")
            }
        }
    }
}
