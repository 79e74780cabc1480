import ArgumentParser

struct BenchUnicastCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unicast",
        abstract: "Publish events for one random online user each, who acknowledges the notification.",
        discussion: HelpText.with(
            """
            Each event tells when it was due; times are counted from that moment. With --confirm each acknowledgement asks \
            for an answer, so that the time until the server has taken it is measured too.
            """, examples: "belfry bench unicast --sessions 10000 --rate 1000 --confirm"))

    @OptionGroup var options: BenchRunOptions
    @OptionGroup var sessions: BenchSessionOptions
    @OptionGroup var event: BenchEventOptions
    @OptionGroup var raw: BenchRawOptions

    @Option(help: ArgumentHelp("Events a second; 0 for as fast as the answers come.", valueName: "number"))
    var rate = 200.0

    @Option(help: ArgumentHelp("Connections that publish side by side, one event at a time each.", valueName: "number"))
    var publishers = 8

    @Flag(help: "Measure also when the server has taken the acknowledgement.")
    var confirm = false

    func validate() throws {
        try BenchValidation.check(rate: rate)
        try BenchValidation.check(publishers: publishers)
    }

    func run() async throws {
        try await BenchPreparation.reporting {
            var preparation = try BenchPreparation("unicast", options, sessions, raw, confirmsAcks: confirm)
            try preparation.unicast(event, rate: rate > 0 ? rate : nil, publishers: publishers)
            try await preparation.run()
        }
    }
}
