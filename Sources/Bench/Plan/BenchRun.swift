import Foundation
import Transport

/// One run, from its first connection to its result.
package struct BenchRun: Sendable {
    /// How often counts are read while sessions open and publications come.
    private static let interval = Duration.milliseconds(100)
    /// Opening ends after this time without progress.
    private static let openingPatience = Duration.seconds(30)
    /// The time between the last session's opening and the measurement, for work that connecting leaves behind.
    private static let settling = Duration.milliseconds(500)

    /// The time for all workers to learn when the measurement begins.
    private static let headStart = Duration.milliseconds(100)

    private let plan: BenchPlan
    private let workers: [any SessionWorker]
    private let tokens: TokenSource?
    private let metrics: PushCounter?
    private let stop: StopFlag
    private let tell: @Sendable (String) -> Void
    private let version: String

    /// - Parameters:
    ///   - workers: hold the plan's sessions; empty for a plan without sessions.
    ///   - metrics: counts pushes; nil if the plan counts none.
    ///   - tell: gets a line about the state whenever that has changed.
    package init(
        _ plan: BenchPlan, workers: [any SessionWorker], tokens: TokenSource?, metrics: PushCounter?, version: String,
        stop: StopFlag, tell: @escaping @Sendable (String) -> Void
    ) {
        self.plan = plan
        self.workers = workers
        self.tokens = tokens
        self.metrics = metrics
        self.version = version
        self.stop = stop
        self.tell = tell
    }

    /// - Throws: ``BenchFailure`` if there is nothing to report.
    package func run() async throws -> BenchResult {
        let server = try plan.serverPID.map { pid in
            do {
                let process = try ServerProcess(pid: pid)
                return (process, try process.read())
            } catch {
                throw BenchFailure("the server's process \(pid) cannot be read: \(error)")
            }
        }
        let record = RunRecord(
            plan, server: server?.0, before: server?.1, workers: workers.compactMap(\.process))
        do {
            try await open(record)
            try await measure(record)
        } catch {
            for worker in workers { try? await worker.end() }  // the first error is the one to tell
            throw error
        }
        for worker in workers { try await worker.end() }
        return record.result(version: version, wasInterrupted: stop.isSet)
    }

    // MARK: Sessions

    private func open(_ record: RunRecord) async throws {
        guard let sessions = plan.sessions else { return }
        let wanted = sessions.indices.count
        for worker in workers { try await worker.open() }
        var lastChange = BenchClock.now
        var last = SessionCounts()
        while !stop.isSet {
            try await Task.sleep(for: Self.interval)
            let counts = try await counts()
            let now = BenchClock.now
            if counts.ready != last.ready || counts.failed != last.failed { lastChange = now }
            last = counts
            record.take(counts, at: now)
            tell(
                "opening: \(counts.ready) of \(wanted) sessions\(counts.failed > 0 ? ", \(counts.failed) failed" : "")")
            if counts.ready + counts.failed >= wanted { break }
            // A slow ramp is no standstill.
            let pause = sessions.ramp.map { Int64(2e9 / $0) } ?? 0
            guard now - lastChange < Self.openingPatience.nanoseconds + pause else { break }
        }
        if stop.isSet {
            for worker in workers { try await worker.stay() }
        }
        record.opened(at: BenchClock.now)
        if last.ready == 0 {
            let reason = last.failures.max { $0.value < $1.value }?.key ?? Self.silence(sessions)
            throw BenchFailure("no session could be opened: \(reason)")
        }
        try await Task.sleep(for: Self.settling)
    }

    /// The event that did not come.
    private static func silence(_ sessions: SessionPlan) -> String {
        guard case .raw(let speech) = sessions.speech, speech.readyText != nil else { return "no answer" }
        return "no message had the text that shows that a session is ready (--ready)"
    }

    private func counts() async throws -> SessionCounts {
        var sum = SessionCounts()
        for worker in workers { sum += try await worker.counts() }
        return sum
    }

    // MARK: Measuring

    private func measure(_ record: RunRecord) async throws {
        let ready = try await counts().ready
        let start = BenchClock.now + Self.headStart.nanoseconds
        let end = start + plan.duration.nanoseconds
        for worker in workers { try await worker.measure(since: start) }
        record.began(at: start, ready: ready)
        let shard = try Shard(index: 0, poller: .epoll)
        let publishers = try await beginPublishing(on: shard, ready: ready, start: start, end: end)
        try await Task.sleep(for: .nanoseconds(max(0, start - BenchClock.now)))
        if let storm = plan.storm {
            let share = storm.rate.map { $0 / Double(workers.count) }
            for worker in workers { try await worker.comeBack(rate: share, isEndless: storm.isEndless) }
        }
        var lastLook = start
        while !stop.isSet {
            try await Task.sleep(for: Self.interval)
            let isTimeToLook = BenchClock.now >= min(lastLook + 1_000_000_000, end)
            // Read before all other figures, because the server may take its time for it.
            if isTimeToLook { await countPushes(record) }
            let now = BenchClock.now
            let counts = try await counts()
            if let storm = plan.storm, !storm.isEndless, counts.returned >= ready { break }
            if isTimeToLook {
                lastLook = now
                let tallies = await Self.tallies(publishers)
                let accepted = tallies.map(\.accepted).reduce(0, +)
                tell(record.take(counts, accepted: accepted, pushes: metrics?.accepted, at: now))
                record.checkStall(counts, tallies, at: now)
                if record.hasStalled || now >= end { break }
            }
        }
        for worker in workers { try await worker.stay() }
        for publisher in publishers { publisher.finish() }
        record.finishedPublishing(at: BenchClock.now)
        try await settle(record, publishers)
        for publisher in publishers { await publisher.end() }
        await withCheckedContinuation { continuation in shard.stop { continuation.resume() } }
    }

    /// A server that is gone reports no more pushes, and the run goes on with the last count.
    private func countPushes(_ record: RunRecord) async {
        do {
            try await metrics?.look()
            record.metricsProblem = nil
        } catch {
            record.metricsProblem = "\(error)"
        }
    }

    private func beginPublishing(
        on shard: Shard, ready: Int, start: Int64, end: Int64
    ) async throws -> [Publisher] {
        let counters = workers.map(\.delivered)
        var publishers: [Publisher] = []
        for (index, stream) in plan.streams.enumerated() {
            let publisher = Publisher(
                stream, stream: index, schedule: Schedule(rate: stream.rate, start: start, end: end), ready: ready,
                shard: shard, delivered: { counters.reduce(0) { $0 + $1.value } })
            try await publisher.begin(tokens: tokens)
            publishers.append(publisher)
        }
        return publishers
    }

    private static func tallies(_ publishers: [Publisher]) async -> [PublishTally] {
        var tallies: [PublishTally] = []
        for publisher in publishers { tallies.append(await publisher.tally()) }
        return tallies
    }

    /// Waits for answers, frames and pushes that are still under way.
    private func settle(_ record: RunRecord, _ publishers: [Publisher]) async throws {
        var lastChange = BenchClock.now
        var known: [Int] = []
        while true {
            let counts = try await counts()
            let tallies = await Self.tallies(publishers)
            await countPushes(record)
            let isComplete =
                tallies.allSatisfy { $0.underway == 0 } && record.isComplete(counts, tallies) && counts.underway == 0
                && (metrics.map { $0.accepted >= tallies.map(\.accepted).reduce(0, +) } ?? true)
            let now = BenchClock.now
            let progress = counts.frames + tallies.map(\.underway) + [counts.ready, metrics?.accepted ?? 0]
            if progress != known { lastChange = now }
            known = progress
            guard isComplete || now - lastChange > plan.patience.nanoseconds else {
                tell("waiting for what is on its way")
                try await Task.sleep(for: Self.interval)
                continue
            }
            var tally = SessionTally()
            for worker in workers { tally += try await worker.tally() }
            return record.ended(counts, tally, tallies, pushes: metrics?.counts, at: now)
        }
    }
}
