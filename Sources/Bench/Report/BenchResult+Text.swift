import Foundation

extension BenchResult {
    /// The result for a terminal: a heading for each part, and rows of a name and its values.
    package var sections: [ReportSection] {
        var sections: [ReportSection] = []
        if let sessions { sections.append(Self.section(sessions)) }
        for stream in streams { sections.append(Self.section(stream)) }
        if let times = timesSection { sections.append(times) }
        if let pushes {
            sections.append(
                ReportSection(
                    "Pushes",
                    [
                        ["accepted by the push service", "\(pushes.accepted)"],
                        ["other answers", "\(pushes.otherAnswers)"], ["a second", Self.number(pushes.perSecond)],
                    ]))
        }
        if let server { sections.append(Self.section(server)) }
        sections.append(
            ReportSection(
                "Run",
                [
                    ["measured", "\(Self.number(seconds)) s"],
                    ["load tool's own CPU", "\(Self.number(toolCores)) cores"],
                    ["machine", "\(machine.cores) cores, Linux \(machine.kernel)"], ["when", date],
                ] + parameters.map { [$0.name, $0.value] }))
        if !notes.isEmpty { sections.append(ReportSection("Notes", notes.map { [$0] })) }
        return sections
    }

    private static func section(_ sessions: Sessions) -> ReportSection {
        var rows = [
            ["ready", "\(sessions.ready) of \(sessions.wanted)"],
            ["opened within", "\(number(sessions.openingSeconds)) s"],
        ]
        if sessions.returned > 0 || sessions.expectedReturns != nil {
            rows.append(["came back", "\(sessions.returned)\(sessions.expectedReturns.map { " of \($0)" } ?? "")"])
        }
        if let seconds = sessions.returnSeconds { rows.append(["all were back within", "\(number(seconds)) s"]) }
        if sessions.retries > 0 { rows.append(["repeated attempts", "\(sessions.retries)"]) }
        rows += reasons("failed", sessions.failures) + reasons("lost", sessions.losses)
        rows += reasons("told", sessions.complaints)
        return ReportSection("Sessions", rows)
    }

    private static func section(_ stream: Stream) -> ReportSection {
        var rows = [
            ["published", "\(stream.accepted) of \(stream.sent)"], ["a second", number(stream.acceptedPerSecond)],
        ]
        rows += reasons("refused", stream.refusals) + reasons("no connection", stream.connectionFailures)
        if stream.expectedFrames != 0 {
            rows.append(["delivered", "\(stream.frames)\(stream.expectedFrames.map { " of \($0)" } ?? "")"])
            rows.append(["delivered a second", number(stream.framesPerSecond)])
        }
        if stream.lostFrames > 0 { rows.append(["LOST", "\(stream.lostFrames)"]) }
        return ReportSection("Stream \(stream.name)", rows)
    }

    private var timesSection: ReportSection? {
        var rows: [[String]] = []
        func add(_ name: String, _ times: Times?) {
            guard let times else { return }
            let values = [times.mean, times.p50, times.p90, times.p99, times.p999, times.maximum]
            rows.append([name] + values.map(Self.number) + ["\(times.count)"])
        }
        if let sessions {
            add("session is ready", sessions.opening)
            add("session is back", sessions.returns)
        }
        for stream in streams {
            add("\(stream.name): publish to answer", stream.answer)
            add("\(stream.name): publish to frame", stream.delivery)
            add("\(stream.name): publish to confirmed ack", stream.ack)
        }
        let header = ["milliseconds", "mean", "p50", "p90", "p99", "p99.9", "max", "count"]
        return rows.isEmpty ? nil : ReportSection("Times", [header] + rows)
    }

    private static func section(_ server: Server) -> ReportSection {
        var rows = [
            ["CPU", "\(number(server.cpuSeconds)) s, \(number(server.cores)) cores"],
            ["softirq of the machine", "\(number(server.softirqSeconds)) s"],
        ]
        func add(_ name: String, _ value: Double?) {
            if let value { rows.append([name, "\(number(value)) µs"]) }
        }
        add("CPU per delivered frame", server.cpuMicrosecondsPerFrame)
        add("CPU per publication", server.cpuMicrosecondsPerPublication)
        add("CPU per session that came back", server.cpuMicrosecondsPerReturn)
        add("CPU per session and second", server.cpuMicrosecondsPerSessionSecond)
        let mebibytes = [server.memoryBefore, server.memoryWithSessions, server.memoryAtEnd].map {
            number(Double($0) / 1_048_576)
        }
        rows.append(["memory before, with sessions, at the end", mebibytes.joined(separator: ", ") + " MiB"])
        if let bytes = server.bytesPerSession { rows.append(["memory per session", "\(Int(bytes.rounded())) B"]) }
        return ReportSection("Server process \(server.pid)", rows)
    }

    private static func reasons(_ name: String, _ counts: [String: Int]) -> [[String]] {
        counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { [name, "\($0.value): \($0.key)"] }
    }

    /// With three significant digits.
    static func number(_ value: Double) -> String {
        switch abs(value) {
        case 0: "0"
        case 100...: String(Int(value.rounded()))
        case 10..<100: String(format: "%.1f", value)
        case 1..<10: String(format: "%.2f", value)
        default: String(format: "%.3f", value)
        }
    }
}
