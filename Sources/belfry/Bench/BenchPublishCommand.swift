import ArgumentParser

struct BenchPublishCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: "Publish events for users who are not online: what is stored durably in a second.",
        discussion: HelpText.with(
            """
            Each event is for one user; its time is counted until the server's answer, which comes after the commit. With \
            --rate it is counted from the moment at which the event was due, however late it was sent.
            """, examples: "belfry bench publish --publishers 8"))

    @OptionGroup var options: BenchRunOptions
    @OptionGroup var event: BenchEventOptions

    @Option(help: ArgumentHelp("Events a second; 0 for as fast as the answers come.", valueName: "number"))
    var rate = 0.0

    @Option(help: ArgumentHelp("Connections that publish side by side.", valueName: "number"))
    var publishers = 8

    @Option(help: ArgumentHelp("How many users get events, in turn.", valueName: "number"))
    var users = 10_000

    @Flag(help: "Publish lines of one request each instead of a request an event.")
    var stream = false

    @Option(
        help: ArgumentHelp("With --stream, how many lines of each wait for their answer at most.", valueName: "number"))
    var underway = 256

    func validate() throws {
        try BenchValidation.check(rate: rate)
        try BenchValidation.check(publishers: publishers)
        try BenchValidation.check(users: users)
        guard (1...512).contains(underway) else { throw ValidationError("--underway is 1 to 512") }
    }

    func run() async throws {
        try await BenchPreparation.reporting {
            var preparation = try BenchPreparation("publish", options)
            try preparation.offline(
                "events", event, users: users, rate: rate > 0 ? rate : nil, publishers: publishers,
                underway: stream ? underway : nil)
            preparation.note("users", "\(users)")
            if stream { preparation.note("stream", "\(underway) lines under way") }
            try await preparation.run()
        }
    }
}
