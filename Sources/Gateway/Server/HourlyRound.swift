import Dispatch
import Transport

/// A duty that recurs once an hour, on a queue of its own.
final class HourlyRound: Sendable {
    private static let interval = DispatchTimeInterval.seconds(3_600)

    private let queue: DispatchQueue
    private let timer: QueueBound<(any DispatchSourceTimer)?>

    /// - Parameter label: its queue's label.
    init(label: String) {
        queue = DispatchQueue(label: label)
        timer = QueueBound(nil, on: queue)
    }

    /// - Parameter delay: the time until the first round, as a start has enough to do.
    func start(after delay: DispatchTimeInterval, _ act: @escaping @Sendable () -> Void) {
        timer.post { [queue] timer in
            let source = DispatchSource.makeTimerSource(queue: queue)
            source.schedule(deadline: .now() + delay, repeating: Self.interval, leeway: .seconds(10))
            source.setEventHandler(handler: act)
            source.activate()
            timer = source
        }
    }

    func stop() { timer.post { $0?.cancel() } }
}
