import ArgumentParser

/// The options for a bench's sessions.
struct BenchSessionOptions: ParsableArguments {
    static let mostProcesses = 256

    @OptionGroup var server: BenchServerOptions

    @Option(help: ArgumentHelp("How many sessions to open, each with a user of its own.", valueName: "number"))
    var sessions = 1_000

    @Option(help: ArgumentHelp("How many to open a second; 0 for all at once.", valueName: "number"))
    var ramp = 2_000.0

    @Option(
        help: ArgumentHelp(
            "From how many processes: one cannot have more sessions than open files (ulimit -n).", valueName: "number"))
    var processes = 1

    @Option(help: ArgumentHelp("Threads that hold sessions, in each process.", valueName: "number"))
    var shards = 1

    @Option(
        help: ArgumentHelp(
            """
            Connect from these addresses of this machine, with commas between. Without it, many sessions to 127.0.0.1 \
            spread over 127.0.0.2 and on.
            """, valueName: "addresses"))
    var sourceAddresses: String?

    func validate() throws {
        guard (1...10_000_000).contains(sessions) else { throw ValidationError("--sessions is 1 to 10000000") }
        try BenchValidation.check(rate: ramp, "--ramp")
        guard (1...Self.mostProcesses).contains(processes), processes <= sessions else {
            throw ValidationError("--processes is 1 to \(Self.mostProcesses), and not more than --sessions")
        }
        guard (1...256).contains(shards) else { throw ValidationError("--shards is 1 to 256") }
    }
}
