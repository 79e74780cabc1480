import ArgumentParser
import Gateway

/// The program. Exit codes: 0 done, 1 refused or failed, 64 wrong usage.
@main
struct Belfry: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "belfry",
        abstract: "A self-hosted, real-time notification gateway.",
        discussion: HelpText.with(
            """
            Backends publish events over a local socket; Belfry keeps each person's inbox, shows it on every connected \
            device at once, and sends a push when nobody saw it.
            """, examples: "belfry serve --dev --catalog Config/catalogs/rooms.yaml"),
        version: Release.version,
        subcommands: [
            ServeCommand.self, PublishCommand.self, TokenCommand.self, TailCommand.self, CheckCommand.self,
            CatalogCommand.self, ReloadCommand.self, PushCommand.self, ExplainCommand.self, PublishersCommand.self,
            PublisherCommand.self, WebhooksCommand.self, BackupCommand.self, RestoreCommand.self, VerifyCommand.self,
            MigrateCommand.self, EpochsCommand.self, SinkCommand.self, MCPCommand.self, EchoCommand.self,
            BenchCommand.self,
            SpecificationCommand.self,
        ])

    /// The argument parser's own entry, except for the way messages are printed.
    static func main() async {
        do {
            var command = try await asyncParseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            let (message, code) = (HelpText.printed(fullMessage(for: error)), exitCode(for: error))
            if !message.isEmpty {
                if code.isSuccess { Terminal.print(page: message) } else { Terminal.complain(page: message) }
            }
            // Only the code, because the message was printed.
            exit(withError: code)
        }
    }
}
