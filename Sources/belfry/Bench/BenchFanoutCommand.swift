import ArgumentParser

struct BenchFanoutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fanout",
        abstract: "Publish items to a feed that all sessions read.",
        discussion: HelpText.with(
            """
            Each item tells when it was due; a time is counted from that moment to the frame, in the process that holds the \
            session. Every session must get every item.
            """, examples: "belfry bench fanout --sessions 10000 --rate 20 --size 200"))

    @OptionGroup var options: BenchRunOptions
    @OptionGroup var sessions: BenchSessionOptions
    @OptionGroup var raw: BenchRawOptions

    @Option(help: ArgumentHelp("The feed.", valueName: "name"))
    var feed = "bench"

    @Option(help: ArgumentHelp("Items a second; 20 if neither this nor --in-flight is given.", valueName: "number"))
    var rate: Double?

    @Option(
        help: ArgumentHelp(
            "The most items that have not yet reached every session; without --rate, as fast as this allows.",
            valueName: "number"))
    var inFlight: Int?

    @Option(help: ArgumentHelp("How long an item's text is, at least 24.", valueName: "bytes"))
    var size = 200

    func validate() throws {
        if let rate { try BenchValidation.check(rate: rate, isOptional: false) }
        try BenchValidation.check(size: size)
        guard inFlight.map({ (1...1_000).contains($0) }) ?? true else {
            throw ValidationError("--in-flight is 1 to 1000")
        }
    }

    func run() async throws {
        try await BenchPreparation.reporting {
            var preparation = try BenchPreparation("fanout", options, sessions, raw, feed: feed)
            try preparation.fanOut(
                feed: feed, rate: rate ?? (inFlight == nil ? 20 : nil), inFlight: inFlight, publishers: inFlight ?? 4,
                size: size)
            try await preparation.run()
        }
    }
}
