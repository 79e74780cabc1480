import ArgumentParser
import Foundation
import Gateway
import Glibc
import Logging
import Transport

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the server.",
        discussion: HelpText.with(
            """
            Settings come from the configuration file, the environment (BELFRY_LISTEN, APNS_KEY_ID, …) and these \
            options; each replaces the ones before it. Config/belfry.yaml explains them all.

            SIGTERM and SIGINT shut it down: sessions are told when to reconnect, and all accepted requests are stored \
            and answered. SIGHUP reads the catalogs, the certificate and all keys again, as `belfry reload` does.
            """, examples: "belfry serve --dev --config Config/belfry.yaml --catalog Config/catalogs"))

    @OptionGroup var options: SettingsOptions

    @Flag(help: "Follow another process on the same port and folder: listen at once, and wait until it leaves.")
    var takeover = false

    func run() async throws {
        let settings = try options.settings()
        Terminal.outlivesReaders()
        let dropped = Counter()
        var named = LogOutput.logger(settings.log, dropped: dropped)
        if settings.isOneOfSeveral { named[metadataKey: "node"] = "\(settings.nodeName)" }
        let logger = named
        logger.debug("settings", metadata: ["settings": "\(settings.redactedDescription)"])
        DescriptorLimit.raise()
        // Whoever develops wants to see why it crashed, and has no secrets there.
        if !settings.isDevelopment { CoreFiles.forbid() }
        // Only this user may read inboxes and devices, even in a folder that is open to others.
        umask(0o077)
        do {
            let environment = ProcessInfo.processInfo.environment
            for hint in SettingsOptions.hints(on: environment) { logger.warning("\(hint)") }
            let signals = try ServerSignals()
            var options = try StartOptions(SocketActivation.take(environment: environment))
            options.takesOver = takeover
            options.hasDemo = settings.isDevelopment
            options.droppedLogLines = dropped
            let run = ServerRun(signals: signals, notification: ServiceNotification(environment: environment), logger)
            try await run.run { [options] in
                try await Server(settings, logger: logger, options: options)
            }
        } catch {
            Terminal.complain(page: "\(error)")
            throw ExitCode.failure
        }
    }
}
