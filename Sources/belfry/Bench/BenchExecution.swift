import ArgumentParser
import Bench
import Foundation
import Gateway
import Glibc
import Transport

/// Runs a plan for a command: with workers, progress on the terminal, Ctrl-C, and the result in the wanted places.
struct BenchExecution {
    let options: BenchRunOptions
    var processes = 1
    var credential: Credential?
    var metrics: PushCounter?

    func run(_ plan: BenchPlan) async throws {
        // A worker that has ended must cause an error, not end this process.
        signal(SIGPIPE, SIG_IGN)
        try options.checkFiles()
        let progress = ProgressLine(isShown: !options.quiet)
        let stop = StopFlag()
        let signals = try StopSignal()
        do {
            let run = BenchRun(
                plan, workers: try await workers(plan), tokens: try await tokens(), metrics: metrics,
                version: Release.version, stop: stop, tell: { progress.show($0) })
            let result = try await withThrowingTaskGroup(of: BenchResult?.self) { group in
                group.addTask {
                    _ = await signals.received()
                    stop.set()
                    return nil
                }
                group.addTask { try await run.run() }
                var result: BenchResult?
                while result == nil, let finished = try await group.next() { result = finished }
                group.cancelAll()
                return result
            }
            progress.end()
            guard let result else { throw ExitCode.failure }
            try write(result)
            if !result.isWell { throw ExitCode.failure }
        } catch let failure as BenchFailure {
            progress.end()
            Terminal.complain(page: failure.description)
            throw ExitCode.failure
        }
    }

    private func workers(_ plan: BenchPlan) async throws -> [any SessionWorker] {
        guard var sessions = plan.sessions else { return [] }
        sessions.tellsFrames = plan.streams.contains { $0.inFlight != nil }
        guard processes > 1 else { return [try SessionHerd(sessions, tokens: try await tokens())] }
        // The file of this process, even if a build has replaced it meanwhile.
        let program = URL(fileURLWithPath: "/proc/\(getpid())/exe")
        return try sessions.split(among: processes).map { share in
            try RemoteSessions(share, credential: credential, program: program, arguments: BenchWorkerCommand.arguments)
        }
    }

    private func tokens() async throws -> TokenSource? {
        guard let credential else { return nil }
        return try BenchTarget.tokens(credential)
    }

    /// Writes as many outputs as possible, even if one fails.
    private func write(_ result: BenchResult) throws {
        if options.json == "-" {
            Terminal.print(page: String(decoding: try result.json, as: UTF8.self))
        } else {
            for section in result.sections {
                for line in section.lines { Terminal.print(line) }
                Terminal.print("")
            }
        }
        var unwritten: [String] = []
        if let json = options.json, json != "-", !Self.write(try result.json, to: json) { unwritten.append(json) }
        if let html = options.html, !Self.write(Array(result.page.utf8), to: html) { unwritten.append(html) }
        guard unwritten.isEmpty else {
            throw BenchFailure("\(unwritten.joined(separator: " and ")) could not be written")
        }
    }

    private static func write(_ bytes: [UInt8], to path: String) -> Bool {
        do {
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            return true
        } catch {
            return false
        }
    }
}
