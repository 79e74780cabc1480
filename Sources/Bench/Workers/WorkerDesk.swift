import Foundation

/// The worker's side: takes orders from standard input, and answers on standard output.
package enum WorkerDesk {
    /// The interval of reports about deliveries, to a run that waits for them.
    private static let tellingInterval = 0.002

    /// Returns after the order to end, or at the end of standard input.
    ///
    /// - Parameter makeTokens: makes tokens with the received credential.
    package static func serve(makeTokens: (Credential) async throws -> TokenSource) async throws {
        var herd: SessionHerd?
        var teller: (any DispatchSourceTimer)?
        while let line = readLine() {
            let order = try WorkerLine.decode(WorkerOrder.self, from: line)
            if case .open(let plan, let credential) = order {
                do {
                    let tokens: TokenSource? = if let credential { try await makeTokens(credential) } else { nil }
                    let opened = try SessionHerd(plan, tokens: tokens)
                    opened.open()
                    if plan.tellsFrames { teller = tell(opened.delivered) }
                    herd = opened
                    say(.done)
                } catch {
                    say(.failed("\(error)"))
                }
            } else if let herd {
                say(await answer(order, herd))
            } else {
                say(.failed("no sessions were opened"))
            }
            if case .end = order { break }
        }
        teller?.cancel()
    }

    private static func answer(_ order: WorkerOrder, _ herd: SessionHerd) async -> WorkerReply {
        switch order {
        case .open: return .failed("sessions are open already")
        case .measure(let moment): await herd.measure(since: moment)
        case .comeBack(let rate, let isEndless): herd.comeBack(rate: rate, isEndless: isEndless)
        case .stay: await herd.stay()
        case .counts: return .counts(await herd.counts())
        case .tally: return .tally(await herd.tally())
        case .end: await herd.end()
        }
        return .done
    }

    private static func tell(_ delivered: FrameCounter) -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(flags: .strict, queue: DispatchQueue(label: "bench.teller"))
        timer.schedule(deadline: .now(), repeating: tellingInterval)
        var told = 0
        timer.setEventHandler {
            guard delivered.value != told else { return }
            told = delivered.value
            say(.delivered(told))
        }
        timer.activate()
        return timer
    }

    private static func say(_ reply: WorkerReply) {
        guard let line = try? WorkerLine.encode(reply) else { return }  // its cases are all encodable
        // One write a line, because replies and reports come from two threads. If nobody reads any more, the end of
        // standard input follows.
        try? FileHandle.standardOutput.write(contentsOf: line)
    }
}
