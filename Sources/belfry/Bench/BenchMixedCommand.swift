import ArgumentParser
import Bench

struct BenchMixedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mixed",
        abstract: "All at once: feed items, events for online and other users, sessions that come and go.",
        discussion: HelpText.with(
            """
            A rate of 0 leaves a part out.
            """, examples: "belfry bench mixed --sessions 5000 --duration 5m --html mixed.html"))

    @OptionGroup var options: BenchRunOptions
    @OptionGroup var sessions: BenchSessionOptions
    @OptionGroup var event: BenchEventOptions

    @Option(help: ArgumentHelp("The feed that all sessions read.", valueName: "name"))
    var feed = "bench"

    @Option(help: ArgumentHelp("Feed items a second.", valueName: "number"))
    var feedRate = 2.0

    @Option(help: ArgumentHelp("Events a second for online users.", valueName: "number"))
    var unicastRate = 100.0

    @Option(help: ArgumentHelp("Events a second for users who are not online.", valueName: "number"))
    var publishRate = 50.0

    @Option(help: ArgumentHelp("Sessions a second that are cut off and come back.", valueName: "number"))
    var stormRate = 10.0

    func validate() throws {
        for (option, rate) in [
            ("--feed-rate", feedRate), ("--unicast-rate", unicastRate), ("--publish-rate", publishRate),
            ("--storm-rate", stormRate),
        ] {
            try BenchValidation.check(rate: rate, option)
        }
    }

    func run() async throws {
        try await BenchPreparation.reporting {
            var preparation = try BenchPreparation("mixed", options, sessions, feed: feed)
            if feedRate > 0 {
                try preparation.fanOut(feed: feed, rate: feedRate, inFlight: nil, publishers: 2, size: event.size)
            }
            if unicastRate > 0 { try preparation.unicast(event, rate: unicastRate, publishers: 4) }
            if publishRate > 0 {
                try preparation.offline("offline", event, users: 10_000, rate: publishRate, publishers: 4)
            }
            if stormRate > 0 { preparation.plan.storm = BenchPlan.Storm(rate: stormRate, isEndless: true) }
            preparation.note("storm", "\(stormRate)/s")
            try await preparation.run()
        }
    }
}
