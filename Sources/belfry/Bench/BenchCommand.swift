import ArgumentParser

struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Load a server with sessions and publications, and measure what it does.",
        discussion: HelpText.with(
            """
            Works against any Belfry, and with --raw against other WebSocket servers. Each command prints its figures in \
            tables; --json and --html write them to files. Ctrl-C ends a run early, with the result so far. Exits with 1 \
            if an expected message did not arrive, a publication was refused or not answered, or a session was refused.
            """, title: "Example, in two terminals and the same folder",
            examples: "belfry serve --dev --catalog Config/catalogs/rooms.yaml", "belfry bench fanout"),
        subcommands: [
            BenchIdleCommand.self, BenchFanoutCommand.self, BenchUnicastCommand.self, BenchStormCommand.self,
            BenchPublishCommand.self, BenchPushCommand.self, BenchMixedCommand.self, BenchWorkerCommand.self,
        ])
}
