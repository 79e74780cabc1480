import Foundation
import Postgres

/// How fast `PostgresStore` writes, next to a bare loop that writes the same rows: docs/testing.md.
@main struct Figures {
    static func main() async throws {
        guard let url = ProcessInfo.processInfo.environment["BELFRY_TEST_POSTGRES"] else {
            print("usage: scripts/postgres-for-tests --durable PostgresFigures [ROUNDS [SECONDS]] [events|fanout|held]")
            exit(64)
        }
        let numbers = CommandLine.arguments.dropFirst().compactMap(Int.init)
        let rounds = numbers.first ?? 5
        let span = Duration.seconds(numbers.dropFirst().first ?? 3)
        let only = CommandLine.arguments.last.flatMap { Int($0) == nil ? $0 : nil }
        if only == "held" { return try await HeldFigures(url: url).measure(for: span) }
        for withKeys in [false, true] where only != "fanout" {
            try await measureEvents(url, rounds: rounds, span: span, withKeys: withKeys)
        }
        for withDevices in [false, true] where only != "events" {
            try await measureFanOut(url, rounds: rounds, withDevices: withDevices)
        }
    }

    /// Single-recipient events from 64 concurrent publishers.
    private static func measureEvents(_ url: String, rounds: Int, span: Duration, withKeys: Bool) async throws {
        let bench = try StoreBench(url, schema: "figures_store", people: 20_000, withDevices: false)
        try await bench.prepare()
        let bare = try await BareLoop(url, schema: "figures_bare", people: 20_000)
        var (ours, theirs, groups): ([Double], [Double], [Double]) = ([], [], [])
        for round in 0...rounds {
            let run = try await bench.publish(publishers: 64, for: span, withKeys: withKeys)
            let group = max(1, Int(run.group.rounded()))
            let plain = try bare.writeEvents(groupsOf: group, for: span, withKeys: withKeys)
            // The first round warms up.
            if round == 0 { continue }
            ours.append(run.rate)
            theirs.append(plain)
            groups.append(run.group)
        }
        report(
            "events of 64 publishers, one recipient each\(withKeys ? ", with keys" : "")", ours, theirs, "events/s",
            "groups of \(Int(median(groups)))")
        await bench.close()
    }

    /// One event to 10,000 recipients, page by page.
    private static func measureFanOut(_ url: String, rounds: Int, withDevices: Bool) async throws {
        let bench = try StoreBench(url, schema: "figures_store", people: 10_000, withDevices: withDevices)
        try await bench.prepare()
        let bare = try await BareLoop(url, schema: "figures_bare", people: 10_000)
        var (ours, theirs): ([Double], [Double]) = ([], [])
        for round in 0...rounds {
            let rate = try await bench.fanOut()
            let plain = try bare.writeFanOut(withPushes: withDevices)
            if round == 0 { continue }
            ours.append(rate)
            theirs.append(plain)
        }
        report(
            "an event to 10,000 people\(withDevices ? " with a device each" : "")", ours, theirs, "recipients/s", "")
        await bench.close()
    }

    private static func report(_ what: String, _ ours: [Double], _ bare: [Double], _ unit: String, _ note: String) {
        let ratio = median(zip(ours, bare).map { $0 / $1 })
        print(
            "\(what): \(Int(median(ours))) \(unit), bare \(Int(median(bare))), ratio",
            String(format: "%.2f", ratio), note)
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}
