import Foundation
import Postgres

/// How fast pushes leave while somebody holds a transaction open: nothing that went can be cleared away.
///
/// A database with such a transaction and one without take turns.
struct HeldFigures {
    private static let together = 64
    private static let parts = 6

    /// What was measured in one database.
    private struct Side {
        let bench: StoreBench
        var publishes: [Duration] = []
        var time = Duration.zero

        mutating func push() async throws {
            let began = ContinuousClock.now
            publishes += try await bench.push(HeldFigures.together)
            time += .now - began
        }

        /// What came behind an earlier state.
        func since(_ earlier: Side) -> Side {
            Side(
                bench: bench, publishes: Array(publishes.dropFirst(earlier.publishes.count)),
                time: time - earlier.time)
        }

        var rate: Double { Double(publishes.count) / (time / .seconds(1)) }
        var p99: Double { publishes.sorted()[publishes.count * 99 / 100] / .milliseconds(1) }
    }

    let url: String

    func measure(for span: Duration) async throws {
        let connection = try PostgresConnection(PostgresAddress(url))
        var sides: [Side] = []
        for name in ["figures_free", "figures_held"] {
            try connection.run(PostgresStatement(composed: "CREATE DATABASE \(name)"))
            let bench = try StoreBench(database(name), schema: "figures", people: 2_000, withDevices: true)
            try await bench.prepare()
            sides.append(Side(bench: bench))
        }
        let holder = try PostgresConnection(PostgresAddress(database("figures_held")))
        try holder.run("BEGIN ISOLATION LEVEL REPEATABLE READ")
        try holder.run("SELECT pg_current_xact_id(), count(*) FROM pg_class")
        let start = ContinuousClock.now
        var (told, reported) = (0, sides)
        while told < Self.parts {
            // They change places: one may find the caches as the other has left them.
            for place in Bool.random() ? [0, 1] : [1, 0] { try await sides[place].push() }
            guard .now - start > span * (told + 1) / Self.parts else { continue }
            told += 1
            report("part \(told)", sides[0].since(reported[0]), beside: sides[1].since(reported[1]))
            reported = sides
        }
        report("all", sides[0], beside: sides[1])
        holder.close()
        for side in sides { await side.bench.close() }
    }

    private func database(_ name: String) -> String {
        url.replacingOccurrences(of: ":///postgres?", with: ":///\(name)?")
    }

    private func report(_ part: String, _ free: Side, beside held: Side) {
        print(
            "\(part): pushes/s \(Int(free.rate)) without and \(Int(held.rate)) beside,",
            String(format: "ratio %.2f;", held.rate / free.rate),
            String(format: "publish p99 %.2f and %.2f ms, ratio %.2f", free.p99, held.p99, held.p99 / free.p99))
    }
}
