import Foundation
import Glibc

/// What a run notes down while it goes on, and makes its result of.
final class RunRecord {
    private let plan: BenchPlan
    private let server: ServerProcess?
    private let before: ServerProcess.Reading?
    private let openingSince = BenchClock.now
    private var openingSeconds = 0.0
    private var start: Int64 = 0
    private var ready = 0
    private var atStart: ServerProcess.Reading?
    private var toolAtStart = 0.0
    private var timeline: [BenchResult.Second] = []
    private var last = (time: Int64(0), frames: 0, accepted: 0, server: ServerProcess.Reading?.none)
    private var end: RunEnd?

    /// - Parameter before: the server's process when no session was open.
    init(_ plan: BenchPlan, server: ServerProcess?, before: ServerProcess.Reading?) {
        self.plan = plan
        self.server = server
        self.before = before
        last = (openingSince, 0, 0, before)
    }

    // MARK: Noting

    func opened(at now: Int64) { openingSeconds = Double(now - openingSince) / 1e9 }

    /// - Parameter ready: how many sessions there are.
    func began(at now: Int64, ready: Int) {
        (start, self.ready) = (now, ready)
        // A server that is gone shows as one without figures.
        atStart = try? server?.read()
        toolAtStart = Self.toolSeconds
        last = (now, 0, 0, atStart)
    }

    /// - Returns: a line about the second that has passed.
    @discardableResult
    func take(_ counts: SessionCounts, accepted: Int, at now: Int64) -> String {
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
        last = (now, frames, accepted, reading)
        return Self.line(second, remaining: plan.duration - .nanoseconds(now - start))
    }

    private static func line(_ second: BenchResult.Second, remaining: Duration) -> String {
        var parts = ["\(max(0, remaining.components.seconds)) s left", "\(second.sessions) sessions"]
        if second.acceptedPerSecond > 0 { parts.append("\(Int(second.acceptedPerSecond)) published/s") }
        if second.framesPerSecond > 0 { parts.append("\(Int(second.framesPerSecond)) frames/s") }
        if let cores = second.serverCores { parts.append("server \(Int((cores * 100).rounded())) % of a core") }
        if let memory = second.serverMemory { parts.append("\(memory >> 20) MiB") }
        return parts.joined(separator: ", ")
    }

    /// Whether everything has come that is expected.
    func isComplete(_ counts: SessionCounts, _ tallies: [PublishTally]) -> Bool {
        tallies.indices.allSatisfy { index in
            counts.frames[index] >= (expectedFrames(of: index, tallies[index]) ?? 0)
        }
    }

    /// Nil where sessions come and go, and a feed's items pass by those that are away.
    private func expectedFrames(of index: Int, _ tally: PublishTally) -> Int? {
        if plan.storm != nil, plan.streams[index].audience == .everybody { return nil }
        return tally.accepted * plan.streams[index].frames(perPublicationTo: ready)
    }

    func ended(
        _ counts: SessionCounts, _ tally: SessionTally, _ tallies: [PublishTally], pushes: PushCounter.Counts?,
        at now: Int64
    ) {
        let server = (try? server?.read()) ?? last.server
        end = RunEnd(
            time: now, counts: counts, tally: tally, publications: tallies, pushes: pushes, server: server,
            toolSeconds: Self.toolSeconds - toolAtStart)
    }

    /// CPU seconds of this process, its threads in the kernel included.
    private static var toolSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    // MARK: The result

    func result(version: String, wasInterrupted: Bool) -> BenchResult {
        let end = end ?? RunEnd(time: BenchClock.now)
        let seconds = max(1e-3, Double(end.time - start) / 1e9)
        var result = BenchResult(
            name: plan.name, version: version, date: Date().ISO8601Format(), machine: .current,
            parameters: plan.parameters, seconds: seconds, wasInterrupted: wasInterrupted,
            sessions: sessions(end), streams: streams(end), pushes: pushes(end), server: nil,
            toolCores: end.toolSeconds / seconds, timeline: timeline, notes: [])
        result.server = serverFigures(end, result.streams, seconds)
        result.notes = notes(result)
        return result
    }

    private func sessions(_ end: RunEnd) -> BenchResult.Sessions? {
        guard let sessions = plan.sessions else { return nil }
        let isStorm = plan.storm.map { !$0.isEndless } ?? false
        return BenchResult.Sessions(
            wanted: sessions.indices.count, ready: end.counts.ready, failures: end.counts.failures,
            losses: end.counts.losses, complaints: end.counts.complaints, retries: end.counts.retries,
            openingSeconds: openingSeconds, opening: Times(end.tally.openings), returned: end.counts.returned,
            returnSeconds: isStorm && end.counts.returned > 0 ? Double(end.tally.lastReturn - start) / 1e9 : nil,
            returns: Times(end.tally.returns))
    }

    private func streams(_ end: RunEnd) -> [BenchResult.Stream] {
        let published = min(Double(end.time - start), Double(plan.duration.nanoseconds)) / 1e9
        return zip(plan.streams.indices, end.publications).map { index, tally in
            BenchResult.Stream(
                name: plan.streams[index].name, sent: tally.sent, accepted: tally.accepted, unsent: tally.waiting,
                acceptedPerSecond: Double(tally.accepted) / max(1e-3, published), refusals: tally.refusals,
                expectedFrames: expectedFrames(of: index, tally), frames: end.counts.frames[index],
                framesPerSecond: Double(end.counts.frames[index]) / max(1e-3, published), answer: Times(tally.answers),
                delivery: Times(end.tally.deliveries[index]), ack: Times(end.tally.acks[index]))
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
            // A part of the whole is told only where there is nothing else.
            cpuMicrosecondsPerFrame: streams.count == 1 ? microseconds(per: Double(streams[0].frames)) : nil,
            cpuMicrosecondsPerPublication: streams.count == 1 ? microseconds(per: Double(streams[0].accepted)) : nil,
            cpuMicrosecondsPerReturn: streams.isEmpty ? microseconds(per: Double(end.counts.returned)) : nil,
            cpuMicrosecondsPerSessionSecond: streams.isEmpty && plan.storm == nil
                ? microseconds(per: sessions * seconds) : nil,
            memoryBefore: before.memory, memoryWithSessions: atStart.memory, memoryAtEnd: last.memory,
            bytesPerSession: sessions > 0 ? Double(last.memory - before.memory) / sessions : nil)
    }

    private func notes(_ result: BenchResult) -> [String] {
        var notes: [String] = []
        if result.wasInterrupted { notes.append("The run was ended early.") }
        let threads = Double(1 + (plan.sessions?.shards ?? 0))
        if result.toolCores > 0.8 * min(threads, Double(result.machine.cores)) {
            notes.append("The load tool itself was short of CPU: times and rates are partly its own. Try --processes.")
        }
        for stream in result.streams where stream.unsent > 0 {
            notes.append(
                """
                \(stream.name): \(stream.unsent) publications were due and never sent, for want of answers to earlier ones. \
                No time tells of them: the rate, or the number of publishers, is not what this server can do.
                """)
        }
        for stream in result.streams where stream.surplusFrames > 0 {
            notes.append("\(stream.name): \(stream.surplusFrames) deliveries came more than once.")
        }
        for stream in result.streams where stream.expectedFrames == nil {
            notes.append(
                "\(stream.name): sessions came and went, so nobody can tell how many deliveries there had to be.")
        }
        return notes
    }
}
