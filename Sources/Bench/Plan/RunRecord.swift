import Foundation
import Glibc

/// The figures of a run while it goes on; its result is made from them.
final class RunRecord {
    private let plan: BenchPlan
    private let server: ServerProcess?
    private let before: ServerProcess.Reading?
    private let workers: [ServerProcess]
    /// CPU nanoseconds of each worker at the last reading, because a worker that has ended cannot be asked.
    private var workerTimes: [Int64]
    /// Why pushes could not be counted the last time; nil if they could.
    var metricsProblem: String?
    private var isServerGone = false
    private let openingSince = BenchClock.now
    private var openingSeconds = 0.0
    private var start: Int64 = 0
    private var ready = 0
    private var atStart: ServerProcess.Reading?
    private var toolAtStart = 0.0
    private var timeline: [BenchResult.Second] = []
    private var last = (time: Int64(0), frames: 0, accepted: 0, server: ServerProcess.Reading?.none)
    private var end: RunEnd?
    /// Whether the run ended early, because it waited for frames that did not come.
    private(set) var hasStalled = false
    private var stall = StallWatch(since: 0)
    /// The time until which publications were sent, or could have been.
    private var publishedUntil: Int64?

    /// - Parameters:
    ///   - before: the server's figures before any session was open.
    ///   - workers: the load tool's other processes.
    init(_ plan: BenchPlan, server: ServerProcess?, before: ServerProcess.Reading?, workers: [ServerProcess]) {
        self.plan = plan
        self.server = server
        self.before = before
        self.workers = workers
        workerTimes = Array(repeating: 0, count: workers.count)
        last = (openingSince, 0, 0, before)
    }

    // MARK: Noting

    func opened(at now: Int64) { openingSeconds = Double(now - openingSince) / 1e9 }

    /// - Parameter ready: the number of ready sessions.
    func began(at now: Int64, ready: Int) {
        (start, self.ready) = (now, ready)
        atStart = (try? server?.read()) ?? last.server
        toolAtStart = toolSeconds()
        last = (now, 0, 0, atStart)
        stall = StallWatch(since: now)
    }

    /// - Returns: a line about the past second.
    @discardableResult
    func take(_ counts: SessionCounts, accepted: Int = 0, pushes: Int? = nil, at now: Int64) -> String {
        let seconds = max(1e-3, Double(now - last.time) / 1e9)
        let frames = start == 0 ? 0 : counts.frames.reduce(0, +)
        let reading = try? server?.read()
        var second = BenchResult.Second(
            time: Double(now - openingSince) / 1e9, sessions: counts.ready,
            framesPerSecond: Double(frames - last.frames) / seconds,
            acceptedPerSecond: Double(accepted - last.accepted) / seconds, serverMemory: reading?.memory)
        if let reading, let earlier = last.server {
            second.serverCores = Double(reading.cpu - earlier.cpu) / 1e9 / seconds
        }
        timeline.append(second)
        readWorkers()
        // For a server that is gone, the last figures stay.
        last = (now, frames, accepted, reading ?? last.server)
        return line(second, returned: counts.returned, pushes: pushes, at: now)
    }

    private func line(_ second: BenchResult.Second, returned: Int, pushes: Int?, at now: Int64) -> String {
        var parts: [String] = []
        if isStormThatEnds {
            parts.append("\(returned) of \(ready) are back")
        } else {
            let remaining = plan.duration - .nanoseconds(now - start)
            parts.append("\(max(0, remaining.components.seconds)) s left")
            if plan.sessions != nil { parts.append("\(second.sessions) sessions") }
        }
        if second.acceptedPerSecond > 0 { parts.append("\(Int(second.acceptedPerSecond.rounded())) published/s") }
        if second.framesPerSecond > 0 { parts.append("\(Int(second.framesPerSecond.rounded())) frames/s") }
        if let pushes { parts.append("\(pushes) pushes") }
        if let cores = second.serverCores { parts.append("server \(Int((cores * 100).rounded())) % of a core") }
        if let memory = second.serverMemory { parts.append("\(memory >> 20) MiB") }
        return parts.joined(separator: ", ")
    }

    /// Notes whether a stream with a limit of publications in flight waits for lost frames.
    func checkStall(_ counts: SessionCounts, _ tallies: [PublishTally], at now: Int64) {
        let isHeldUp = plan.streams.indices.contains { index in
            let (stream, tally) = (plan.streams[index], tallies[index])
            return tally.underway == 0
                && !stream.mayGoOn(
                    left: tally.sent - tally.refused, framesEach: stream.frames(perPublicationTo: ready),
                    frames: counts.frames[index])
        }
        let progress = counts.frames.reduce(0, +) + tallies.map(\.sent).reduce(0, +)
        hasStalled = stall.look(progress: progress, isHeldUp: isHeldUp, at: now)
    }

    /// The last publication was sent.
    func finishedPublishing(at now: Int64) { publishedUntil = hasStalled ? stall.since : now }

    /// Whether everything expected has come.
    func isComplete(_ counts: SessionCounts, _ tallies: [PublishTally]) -> Bool {
        tallies.indices.allSatisfy { index in
            counts.frames[index] >= (expectedFrames(of: index, tallies[index]) ?? 0)
        }
    }

    /// Nil if sessions come and go, because a feed's items do not reach sessions that are away.
    private func expectedFrames(of index: Int, _ tally: PublishTally) -> Int? {
        if plan.storm != nil, plan.streams[index].audience == .everybody { return nil }
        return tally.accepted * plan.streams[index].frames(perPublicationTo: ready)
    }

    func ended(
        _ counts: SessionCounts, _ tally: SessionTally, _ tallies: [PublishTally], pushes: PushCounter.Counts?,
        at now: Int64
    ) {
        let reading = try? server?.read()
        isServerGone = server != nil && reading == nil
        let server = reading ?? last.server
        end = RunEnd(
            time: now, counts: counts, tally: tally, publications: tallies, pushes: pushes, server: server,
            toolSeconds: toolSeconds() - toolAtStart)
    }

    /// CPU seconds of this process and its workers, including the kernel's work for them.
    private func toolSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        readWorkers()
        return Double(time.tv_sec) + Double(Int64(time.tv_nsec) + workerTimes.reduce(0, +)) / 1e9
    }

    private func readWorkers() {
        for (index, worker) in workers.enumerated() {
            if let reading = try? worker.read() { workerTimes[index] = reading.cpu }
        }
    }

    private var isStormThatEnds: Bool { plan.storm.map { !$0.isEndless } ?? false }

    // MARK: The result

    func result(version: String, wasInterrupted: Bool) -> BenchResult {
        let end = end ?? RunEnd(time: BenchClock.now)
        let seconds = max(1e-3, Double(end.time - start) / 1e9)
        var result = BenchResult(
            name: plan.name, version: version, date: Date().ISO8601Format(), machine: .current,
            parameters: plan.parameters, seconds: seconds, wasInterrupted: wasInterrupted, hasStalled: hasStalled,
            sessions: sessions(end), streams: streams(end), pushes: pushes(end), server: nil,
            toolCores: end.toolSeconds / seconds, timeline: timeline, notes: [])
        result.server = serverFigures(end, result.streams, seconds)
        result.notes = RunNotes(
            workers: workers.count, shards: plan.sessions?.shards, isServerGone: isServerGone,
            metricsProblem: metricsProblem
        ).notes(on: result)
        return result
    }

    private func sessions(_ end: RunEnd) -> BenchResult.Sessions? {
        guard let sessions = plan.sessions else { return nil }
        let areAllBack = isStormThatEnds && ready > 0 && end.counts.returned >= ready
        return BenchResult.Sessions(
            wanted: sessions.indices.count, measured: ready, ready: end.counts.ready, failures: end.counts.failures,
            losses: end.counts.losses, complaints: end.counts.complaints, retries: end.counts.retries,
            openingSeconds: openingSeconds, opening: Times(end.tally.openings), returned: end.counts.returned,
            expectedReturns: isStormThatEnds ? ready : nil,
            returnSeconds: areAllBack ? Double(end.tally.lastReturn - start) / 1e9 : nil,
            returns: Times(end.tally.returns))
    }

    private func streams(_ end: RunEnd) -> [BenchResult.Stream] {
        let published = min(Double((publishedUntil ?? end.time) - start), Double(plan.duration.nanoseconds)) / 1e9
        return zip(plan.streams.indices, end.publications).map { index, tally in
            let stream = plan.streams[index]
            let expected = expectedFrames(of: index, tally)
            let framesEach = expected == nil ? 0 : stream.frames(perPublicationTo: ready)
            let acks = end.tally.acks[index, default: Latencies()]
            return BenchResult.Stream(
                name: stream.name, isAnswered: stream.isAnswered, sent: tally.sent, accepted: tally.accepted,
                unsent: tally.waiting,
                unanswered: tally.sent - tally.accepted - tally.refused,
                acceptedPerSecond: Double(tally.accepted) / max(1e-3, published), refusals: tally.refusals,
                connectionFailures: tally.connectionFailures,
                expectedFrames: expected, frames: end.counts.frames[index],
                framesPerSecond: Double(end.counts.frames[index]) / max(1e-3, published),
                answer: stream.isAnswered ? Times(tally.answers.with(tally.waits).with(tally.silences)) : nil,
                delivery: Times(
                    end.tally.deliveries[index, default: Latencies()].with(tally.waits, times: framesEach)),
                ack: acks.count > 0 ? Times(acks.with(tally.waits, times: framesEach)) : nil)
        }
    }

    private func pushes(_ end: RunEnd) -> BenchResult.Pushes? {
        end.pushes.map { pushes in
            BenchResult.Pushes(
                accepted: pushes.accepted, otherAnswers: pushes.others,
                perSecond: pushes.seconds > 0 ? Double(pushes.accepted) / pushes.seconds : 0)
        }
    }

    private func serverFigures(
        _ end: RunEnd, _ streams: [BenchResult.Stream], _ seconds: Double
    ) -> BenchResult.Server? {
        guard let server, let before, let atStart, let last = end.server else { return nil }
        let cpu = Double(last.cpu - atStart.cpu) / 1e9
        func microseconds(per count: Double) -> Double? { count > 0 ? cpu * 1e6 / count : nil }
        let sessions = Double(ready)
        return BenchResult.Server(
            pid: server.pid, cpuSeconds: cpu, cores: cpu / seconds,
            softirqSeconds: Double(last.softirq - atStart.softirq) / 1e9,
            // A figure for a part is only given if there is no other part.
            cpuMicrosecondsPerFrame: streams.count == 1 ? microseconds(per: Double(streams[0].frames)) : nil,
            cpuMicrosecondsPerPublication: streams.count == 1 ? microseconds(per: Double(streams[0].accepted)) : nil,
            cpuMicrosecondsPerReturn: streams.isEmpty ? microseconds(per: Double(end.counts.returned)) : nil,
            cpuMicrosecondsPerSessionSecond: streams.isEmpty && plan.storm == nil
                ? microseconds(per: sessions * seconds) : nil,
            memoryBefore: before.memory, memoryWithSessions: atStart.memory, memoryAtEnd: last.memory,
            bytesPerSession: sessions > 0 && last.memory >= before.memory
                ? Double(last.memory - before.memory) / sessions : nil)
    }
}
