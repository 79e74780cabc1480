import Dispatch
import Transport
import WireProtocol

/// The sessions that this process holds, spread over its shards.
package final class SessionHerd: SessionWorker {
    private struct Member: Sendable {
        let shard: Shard
        let sessions: QueueBound<ShardSessions>
    }

    /// The interval of checks for due sessions; at 4,000 openings a second, twenty sessions each.
    private static let stepMilliseconds = 5

    package let delivered = FrameCounter()
    package let process: ServerProcess? = nil
    private let members: [Member]
    private let clock: QueueBound<any DispatchSourceTimer>

    /// - Parameter tokens: for the place `{{token}}`; nil if no plan has it.
    package init(_ plan: SessionPlan, tokens: TokenSource?) throws {
        let url = try WebSocketURL(plan.url)
        let path = try Template(url.path)
        let tls = url.isSecure ? try TLSClientContext(caFile: plan.caFile) : nil
        let sources = plan.sources.compactMap { IPAddress($0) }
        let delivered = delivered
        members = try plan.split(among: max(1, plan.shards)).enumerated().map { index, share in
            let shard = try Shard(index: index, poller: .epoll)
            let sessions = ShardSessions(
                share, url, path: path, tls: tls, sources: sources, tokens: tokens, delivered: delivered)
            return Member(shard: shard, sessions: QueueBound(sessions, on: shard.queue))
        }
        let queue = DispatchQueue(label: "bench.sessions")
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now(), repeating: .milliseconds(Self.stepMilliseconds))
        timer.setEventHandler { [members] in
            for member in members { Self.step(member) }
        }
        timer.activate()
        clock = QueueBound(timer, on: queue)
    }

    private static func step(_ member: Member) {
        member.shard.post { on in
            if member.sessions.withState({ $0 }).step(on) { step(member) }
        }
    }

    package func open() {
        let now = BenchClock.now
        for member in members {
            member.shard.post { on in
                let sessions = member.sessions.withState { $0 }
                sessions.open(rate: sessions.plan.ramp, at: now)
            }
        }
    }

    package func measure(since moment: Int64) async {
        await gather { sessions, _ in sessions.measure(since: moment) }
        delivered.set(0)
    }

    package func comeBack(rate: Double?, isEndless: Bool) {
        let now = BenchClock.now
        let share = rate.map { $0 / Double(members.count) }
        for member in members {
            member.shard.post { on in
                member.sessions.withState { $0 }.comeBack(rate: share, isEndless: isEndless, at: now)
            }
        }
    }

    package func stay() async { await gather { sessions, _ in sessions.stay() } }

    package func counts() async -> SessionCounts {
        await gather { sessions, _ in sessions.counts }.reduce(into: SessionCounts()) { $0 += $1 }
    }

    package func tally() async -> SessionTally {
        await gather { sessions, _ in sessions.tally }.reduce(into: SessionTally()) { $0 += $1 }
    }

    package func end() async {
        clock.post { $0.cancel() }
        await gather { sessions, on in sessions.end(on) }
        for member in members {
            await withCheckedContinuation { continuation in member.shard.stop { continuation.resume() } }
        }
    }

    @discardableResult
    private func gather<Result: Sendable>(
        _ ask: @escaping @Sendable (ShardSessions, borrowing OnShard) -> Result
    ) async -> [Result] {
        var results: [Result] = []
        for member in members {
            results.append(
                await withCheckedContinuation { continuation in
                    member.shard.post { on in
                        continuation.resume(returning: ask(member.sessions.withState { $0 }, on))
                    }
                })
        }
        return results
    }
}
