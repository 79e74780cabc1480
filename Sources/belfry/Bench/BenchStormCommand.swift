import ArgumentParser
import Bench

struct BenchStormCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "storm",
        abstract: "Cut all sessions off and have them come back: connect, authenticate, resume.",
        discussion: HelpText.with(
            """
            Tells how long it takes until all are back, and each one's time from the moment at which it was to come. It \
            ends when all are back, or after a minute, or after --duration if that is longer.
            """, examples: "belfry bench storm --sessions 10000"))

    @OptionGroup var options: BenchRunOptions
    @OptionGroup var sessions: BenchSessionOptions
    @OptionGroup var raw: BenchRawOptions

    @Option(help: ArgumentHelp("How many come back a second; 0 for all at once.", valueName: "number"))
    var rate = 0.0

    func validate() throws { try BenchValidation.check(rate: rate) }

    func run() async throws {
        try await BenchPreparation.reporting {
            var preparation = try BenchPreparation("storm", options, sessions, raw)
            preparation.plan.storm = BenchPlan.Storm(rate: rate > 0 ? rate : nil, isEndless: false)
            preparation.plan.duration = max(options.duration, .seconds(60))
            preparation.note("storm", rate > 0 ? "\(rate)/s" : "at once")
            try await preparation.run()
        }
    }
}
