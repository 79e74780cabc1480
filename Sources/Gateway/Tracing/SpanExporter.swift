import Dispatch
import Inbox
import Logging
import Synchronization
import Tracing
import Transport

/// Sends spans to the collector, as the ``ExportMachine`` decides, on a queue of its own. Nobody waits for it: beyond
/// its room spans are dropped and counted.
final class SpanExporter: Sendable {
    /// How many spans may wait, some three megabytes.
    private static let capacity = 4_096
    /// For one request, as OpenTelemetry's exporters have it.
    private static let timeout = Duration.seconds(10)

    private struct State {
        var machine: ExportMachine
        var body: [UInt8] = []
        /// How many spans are in ``body``.
        var count = 0
        var wakesAt: ContinuousClock.Instant?
        /// Whether the last failure was logged.
        var isFailing = false
        /// Called once nothing is left, or it takes too long.
        var ended: (@Sendable () -> Void)?
    }

    private let url: String
    private let headers: [(name: String, value: String)]
    private let request: ExportRequest
    private let http: any HTTPSender
    private let counters: TraceCounters
    private let logger: Logger
    private let waiting: Mutex<SpanQueue>
    private let state: QueueBound<State>

    init(
        url: String, headers: [(name: String, value: String)], request: ExportRequest, http: any HTTPSender,
        limits: ExportMachine.Limits = ExportMachine.Limits(), counters: TraceCounters, logger: Logger
    ) {
        self.url = url
        self.headers = [("content-type", "application/json")] + headers
        self.request = request
        self.http = http
        self.counters = counters
        self.logger = logger
        waiting = Mutex(SpanQueue(capacity: Self.capacity, batch: limits.batch))
        state = QueueBound(
            State(machine: ExportMachine(limits)), on: DispatchQueue(label: "belfry.traces", qos: .utility))
    }

    /// Takes a span, or drops it where there is no room. From any thread; never waits.
    func add(_ span: consuming Span) {
        switch waiting.withLock({ [span] in $0.add(span) }) {
        case .kept: break
        case .worthALook: state.post { [self] in proceed(&$0) }
        case .dropped: counters.dropped.add()
        }
    }

    /// Sends what waits, but not for longer than `patience`; the rest is dropped.
    func close(within patience: Duration, completion: @escaping @Sendable () -> Void) {
        state.post { [self] state in
            state.ended = completion
            state.machine.end()
            proceed(&state)
        }
        state.queue.asyncAfter(deadline: .now() + .milliseconds(Int(patience.milliseconds))) { [self] in
            state.withState { end(&$0) }
        }
    }

    private func end(_ state: inout State) {
        guard let ended = state.ended else { return }
        state.ended = nil
        counters.dropped.add(waiting.withLock { $0.removeAll() })
        // A request under way ends in an error, and its spans are counted.
        http.close(completion: ended)
    }

    private func proceed(_ state: inout State) {
        switch state.machine.next(waiting: waiting.withLock(\.count), at: .now) {
        case .rest: if state.machine.isIdle { end(&state) }
        case .wake(let moment): wake(at: moment, &state)
        case .sendNext:
            let spans = waiting.withLock { $0.take() }
            (state.body, state.count) = (request.body(of: spans), spans.count)
            send(state.body)
        case .sendAgain: send(state.body)
        }
    }

    private func send(_ body: [UInt8]) {
        let call = HTTPClientRequest(
            method: "POST", url: url, headers: headers, body: body, timeout: Self.timeout,
            wantsHeadersOfSuccess: false)
        http.send(call) { [self] result in state.post { [self] state in answered(result, &state) } }
    }

    private func answered(_ result: Result<HTTPClientResponse, HTTPClientError>, _ state: inout State) {
        let (answer, reason): (ExportMachine.Answer, String)
        var rejected = 0
        switch result {
        case .success(let response):
            answer = ExportMachine.Answer(
                status: response.status, retryAfter: response.header("retry-after").flatMap(Int64.init))
            reason = "status \(response.status)"
            if answer == .accepted { rejected = min(ExportRequest.rejected(response.body), state.count) }
        case .failure(let error):
            answer = error.isClosed ? .refused : .busy(retryAfter: nil)
            reason = error.description
        }
        switch state.machine.answered(answer, at: .now, jitter: .random(in: 0..<1)) {
        case .delivered:
            counters.sent.add(state.count - rejected)
            counters.dropped.add(rejected)
            state.body = []
            if rejected > 0 { report("the collector rejects spans", &state) } else { state.isFailing = false }
        case .lost:
            counters.dropped.add(state.count)
            state.body = []
            report(reason, &state)
        case .triedAgain: report(reason, &state)
        }
        proceed(&state)
    }

    /// Once for each outage.
    private func report(_ reason: String, _ state: inout State) {
        guard !state.isFailing, state.ended == nil else { return }
        state.isFailing = true
        logger.warning("traces do not reach their collector", metadata: ["reason": "\(reason)"])
    }

    private func wake(at moment: ContinuousClock.Instant, _ state: inout State) {
        if let known = state.wakesAt, known <= moment { return }
        state.wakesAt = moment
        let delay = max(0, Int((moment - .now).milliseconds)) + 1
        self.state.queue.asyncAfter(deadline: .now() + .milliseconds(delay)) { [self] in
            self.state.withState { state in
                state.wakesAt = nil
                proceed(&state)
            }
        }
    }
}

extension HTTPClientError {
    fileprivate var isClosed: Bool { if case .closed = self { true } else { false } }
}
