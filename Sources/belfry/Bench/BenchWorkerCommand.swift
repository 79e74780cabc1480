import ArgumentParser
import Bench
import Glibc
import Transport

/// Holds sessions for a bench in the process that has started this one.
struct BenchWorkerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "worker", abstract: "Hold sessions for a bench in another process.", shouldDisplay: false)

    static let arguments = ["bench", "worker"]

    func run() async throws {
        DescriptorLimit.raise()
        // Ctrl-C reaches all processes of a terminal, but only the first one decides about it.
        signal(SIGINT, SIG_IGN)
        try await WorkerDesk.serve { try BenchTarget.tokens($0) }
    }
}
