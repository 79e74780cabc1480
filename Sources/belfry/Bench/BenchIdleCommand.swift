import ArgumentParser

struct BenchIdleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "idle",
        abstract: "Hold sessions that do nothing: what one costs in memory and CPU.",
        discussion: HelpText.with(
            """
            The memory per session is what the server's process has more than before the first one.
            """, examples: "belfry bench idle --sessions 10000 --duration 60s"))

    @OptionGroup var options: BenchRunOptions
    @OptionGroup var sessions: BenchSessionOptions
    @OptionGroup var raw: BenchRawOptions

    func run() async throws {
        try await BenchPreparation.reporting {
            try await BenchPreparation("idle", options, sessions, raw).run()
        }
    }
}
