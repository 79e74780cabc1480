import Cluster

/// How nodes that share a database hear of each other: channels as PostgreSQL has them, over a network that may lose,
/// double and delay what is sent.
@MainActor
final class SimulatedBus {
    private struct Listener {
        let process: SimulatedProcess
        let number: Int
        let heard: @Sendable (Heard) -> Void
    }

    private let timeline: Timeline
    /// By channel.
    private var listeners: [String: Listener] = [:]
    private var last = 0
    private var lastDelivery: [String: Int64] = [:]
    /// Whether messages may get lost, come twice or late, and in another order.
    var isUnreliable = false
    /// Called when a message gets lost.
    var lost: () -> Void = {}

    init(_ timeline: Timeline) { self.timeline = timeline }

    /// Hears a channel, in the place of any other one of the process.
    func listen(_ process: SimulatedProcess, to channel: String, _ heard: @escaping @Sendable (Heard) -> Void) {
        stop(process)
        process.after(timeline.microseconds(500...50_000)) { [self] in begin(process, channel, heard) }
    }

    private func begin(_ process: SimulatedProcess, _ channel: String, _ heard: @escaping @Sendable (Heard) -> Void) {
        last += 1
        listeners[channel] = Listener(process: process, number: last, heard: heard)
        heard(.beginning)
    }

    func stop(_ process: SimulatedProcess) { listeners = listeners.filter { $0.value.process !== process } }

    /// The listeners' connections end, and are made anew.
    func cut() {
        let all = listeners.sorted { $0.value.number < $1.value.number }
        listeners = [:]
        for (channel, listener) in all {
            listener.process.after(timeline.microseconds(100_000...1_000_000)) { [self] in
                begin(listener.process, channel, listener.heard)
            }
        }
    }

    func send(_ text: String, to channel: String) {
        if isUnreliable, timeline.chance(8) { return lost() }
        let copies = isUnreliable && timeline.chance(8) ? 2 : 1
        for _ in 0..<copies {
            let isLate = isUnreliable && timeline.chance(8)
            var time = timeline.elapsed + timeline.microseconds(isLate ? 100_000...5_000_000 : 50...3_000)
            if !isLate {
                time = max(time, lastDelivery[channel, default: 0])
                lastDelivery[channel] = time
            }
            timeline.after(time - timeline.elapsed) { [self] in
                guard let listener = listeners[channel] else { return }
                listener.process.after(0) { listener.heard(.messages([text])) }
            }
        }
    }
}
