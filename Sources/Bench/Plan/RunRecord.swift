import Foundation
import Glibc

/// What a run notes down while it goes on, and makes its result of.
final class RunRecord {
    private let plan: BenchPlan
    private let server: ServerProcess?
    private let before: ServerProcess.Reading?
    private let workers: [ServerProcess]
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

    /// - Parameters:
    ///   - before: the server's process when no session was open.
    ///   - workers: the load tool's other processes.
    init(_ plan: BenchPlan, server: ServerProcess?, before: ServerProcess.Reading?, workers: [ServerProcess]) {
        self.plan = plan
        self.server = server
        self.before = before
        self.workers = workers
        last = (openingSince, 0, 0, before)
    }

    // MARK: Noting

    func opened(at now: Int64) { openingSeconds = Double(now - openingSince) / 1e9 }

    /// - Parameter ready: how many sessions there are.
    func began(at now: Int64, ready: Int) {
        (start, self.ready) = (now, ready)
        atStart = (try? server?.read()) ?? last.server
        toolAtStart = toolSeconds
        last = (now, 0, 0, atStart)
    }

    /// - Returns: a line about the second that has passed.
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
        // Of a server that is gone, the last figures hold.
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
        let reading = try? server?.read()
        isServerGone = server != nil && reading == nil
        let server = reading ?? last.server
        end = RunEnd(
            time: now, counts: counts, tally: tally, publications: tallies, pushes: pushes, server: server,
            // A worker that has ended took its figure along.
            toolSeconds: max(0, toolSeconds - toolAtStart))
    }

    /// CPU seconds of this process and its workers, their threads in the kernel included.
    private var toolSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        let others = workers.reduce(0.0) { $0 + Double((try? $1.read())?.cpu ?? 0) / 1e9 }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9 + others
    }

    private var isStormThatEnds: Bool { plan.storm.map { !$0.isEndless } ?? false }

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
        let areAllBack = isStormThatEnds && ready > 0 && end.counts.returned >= ready
        return BenchResult.Sessions(
            wanted: sessions.indices.count, ready: end.counts.ready, failures: end.counts.failures,
            losses: end.counts.losses, complaints: end.counts.complaints, retries: end.counts.retries,
            openingSeconds: openingSeconds, opening: Times(end.tally.openings), returned: end.counts.returned,
            expectedReturns: isStormThatEnds ? ready : nil,
            returnSeconds: areAllBack ? Double(end.tally.lastReturn - start) / 1e9 : nil,
            returns: Times(end.tally.returns))
    }

    private func streams(_ end: RunEnd) -> [BenchResult.Stream] {
        let published = min(Double(end.time - start), Double(plan.duration.nanoseconds)) / 1e9
        return zip(plan.streams.indices, end.publications).map { index, tally in
            BenchResult.Stream(
                name: plan.streams[index].name, sent: tally.sent, accepted: tally.accepted, unsent: tally.waiting,
                unanswered: tally.sent - tally.accepted - tally.refused,
                acceptedPerSecond: Double(tally.accepted) / max(1e-3, published), refusals: tally.refusals,
                connectionFailures: tally.connectionFailures,
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
            bytesPerSession: sessions > 0 && last.memory >= before.memory
                ? Double(last.memory - before.memory) / sessions : nil)
    }

    private func notes(_ result: BenchResult) -> [String] {
        var notes: [String] = []
        if result.wasInterrupted { notes.append("The run was ended early.") }
        let threads = Double(1 + (plan.sessions?.shards ?? 0) * max(1, workers.count))
        // Of a moment alone, that says nothing.
        if result.seconds >= 1, result.toolCores > 0.8 * min(threads, Double(result.machine.cores)) {
            notes.append("The load tool itself was short of CPU: times and rates are partly its own. Try --processes.")
        }
        for stream in result.streams where stream.unsent > 0 {
            notes.append(
                """
                \(stream.name): \(stream.unsent) publications were due and never sent, for want of answers to earlier ones. \
                No time tells of them: the rate, or the number of publishers, is not what this server can do.
                """)
        }
        for stream in result.streams where stream.unanswered > 0 {
            notes.append(
                "\(stream.name): \(stream.unanswered) publications were sent and never answered. No time tells of them."
            )
        }
        notes += serverNotes(result)
        for stream in result.streams where stream.surplusFrames > 0 {
            notes.append("\(stream.name): \(stream.surplusFrames) deliveries came more than once.")
        }
        for stream in result.streams where stream.expectedFrames == nil {
            notes.append(
                "\(stream.name): sessions came and went, so nobody can tell how many deliveries there had to be.")
        }
        return notes
    }

    private func serverNotes(_ result: BenchResult) -> [String] {
        var notes: [String] = []
        if isServerGone { notes.append("The server's process has ended: its figures are the last ones before that.") }
        if let server = result.server, !result.streams.isEmpty || plan.sessions != nil,
            server.memoryAtEnd < server.memoryBefore
        {
            notes.append(
                "The server has less memory than before the first session: start it anew for a session's memory.")
        }
        if let metricsProblem { notes.append("Pushes could not be counted to the end: \(metricsProblem)") }
        if let pushes = result.pushes {
            let expected = result.streams.map(\.accepted).reduce(0, +)
            if pushes.accepted < expected {
                notes.append("Of \(expected) published events, \(pushes.accepted) became pushes that were accepted.")
            }
        }
        return notes
    }
}
