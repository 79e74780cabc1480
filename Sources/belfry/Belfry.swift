import ArgumentParser
import Gateway

/// The program. Exit codes: 0 done, 1 refused or failed, 64 wrong usage.
@main
struct Belfry: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "belfry",
        abstract: "A self-hosted, real-time notification gateway.",
        discussion: """
            Backends publish events over a local socket; Belfry keeps each person's inbox, shows it on every connected \
            device at once, and sends a push when nobody saw it.

            To try it out: belfry serve --dev --catalog Config/catalogs/rooms.yaml
            """,
        version: Release.version,
        subcommands: [
            ServeCommand.self, PublishCommand.self, TokenCommand.self, TailCommand.self, CheckCommand.self,
            CatalogCommand.self, ReloadCommand.self, PushCommand.self, ExplainCommand.self, BackupCommand.self,
            RestoreCommand.self, SinkCommand.self, EchoCommand.self, BenchCommand.self,
        ])
}
