import Dispatch
import Inbox
import Logging
import Push
import Store
import Transport

/// Sends webhooks to the endpoints that the settings name, as each one's ``LeaseLane`` decides, on a queue of its own.
///
/// Webhooks keep no order: a failed one does not hold up the others.
package final class WebhookSender: Sendable {
    /// How many of an endpoint's webhooks are under way at most.
    private static let widest = 8
    /// How often to look for what another node has left.
    private static let lookInterval = Duration.seconds(30)
    /// For one try: the specification recommends 15 to 30 seconds.
    private static let timeout = Duration.seconds(20)
    /// Longer than a try may take, and its outcome to be stored.
    private static let lease = Duration.seconds(30)
    /// How often the store is asked how many wait, and how often what is too old is removed.
    private static let countInterval = DispatchTimeInterval.seconds(15)

    private struct State {
        /// Endpoints whose last failure was logged.
        var failing: Set<Int> = []
        var counting: (any DispatchSourceTimer)?
    }

    let endpoints: [WebhookEndpoint]
    /// Of each endpoint, in the same order.
    let counters: [WebhookCounters]
    private let store: any Store
    private let keep: Duration
    private let http: any HTTPSender
    private let logger: Logger
    private let now: @Sendable () -> Timestamp
    private let clockMoved: @Sendable () -> Duration
    private let lanes: LeaseLanes<Webhook>
    private let state: QueueBound<State>
    private let round = HourlyRound(label: "belfry.webhook-ageing")

    /// - Parameters:
    ///   - keep: how long a webhook is kept at most.
    ///   - now: the clock by which webhooks wait.
    ///   - clockMoved: as ``StoreOptions/clockMoved``.
    init(
        _ endpoints: [WebhookEndpoint], store: any Store, keep: Duration, http: any HTTPSender, logger: Logger,
        now: @escaping @Sendable () -> Timestamp, clockMoved: @escaping @Sendable () -> Duration = { .zero }
    ) {
        self.endpoints = endpoints
        counters = endpoints.map { _ in WebhookCounters() }
        (self.store, self.keep, self.http, self.logger) = (store, keep, http, logger)
        (self.now, self.clockMoved) = (now, clockMoved)
        let lane = LeaseLane(at: now(), widest: Self.widest, lookInterval: Self.lookInterval)
        lanes = LeaseLanes(endpoints.count, lane, label: "belfry.webhooks", now: now)
        state = QueueBound(State(), on: lanes.queue)
        lanes.carryOut { index, limit, now, completion in
            store.leaseWebhooks(limit, for: endpoints[index].name, at: now, until: now + Self.lease) { result in
                completion(result.map { ($0.webhooks, $0.nextDue) })
            }
        } send: { [weak self] webhook, index in
            self?.send(webhook, index)
        }
    }

    /// Nil without endpoints.
    convenience init?(
        _ endpoints: [WebhookEndpoint], store: any Store, keep: Duration, logger: Logger,
        now: @escaping @Sendable () -> Timestamp, clockMoved: @escaping @Sendable () -> Duration
    ) throws {
        if endpoints.isEmpty { return nil }
        // A receiver with HTTP/1.1 answers one request a connection. Nothing waits for a connection: that would take
        // from the time of its try, and all endpoints may be at one host.
        var settings = HTTPClientSettings()
        settings.connectionsPerHost = Self.widest * endpoints.count
        self.init(
            endpoints, store: store, keep: keep, http: try HTTPClient(settings, label: "belfry.webhooks.http"),
            logger: logger, now: now, clockMoved: clockMoved)
    }

    /// To be called once, when the store hears of commits.
    func start() {
        state.post { [self] state in
            let source = DispatchSource.makeTimerSource(queue: self.state.queue)
            source.schedule(deadline: .now(), repeating: Self.countInterval, leeway: .seconds(1))
            source.setEventHandler { [weak self] in self?.count() }
            source.activate()
            state.counting = source
        }
        round.start(after: .seconds(120)) { [weak self] in self?.age() }
        look()
    }

    /// Hears of each commit of this process.
    func committed(_ commit: Commit) { if let due = commit.nextWebhookDue { lanes.expect(due) } }

    /// Moves all times, as the clock was set and the store has followed.
    func move(by span: Duration) { lanes.move(by: span) }

    /// Looks for webhooks that are due.
    func look() { lanes.look() }

    /// Dead letters of an endpoint were set free, also of one that was gone.
    func resume(_ name: String) {
        guard let index = endpoints.firstIndex(where: { $0.name == name }) else { return }
        counters[index].gone.set(0)
        lanes.look(for: index)
    }

    /// Hands out nothing more. What is under way is settled if it comes back in time, and is sent again otherwise.
    func stop() {
        round.stop()
        lanes.stop()
        state.post { $0.counting?.cancel() }
    }

    /// Ends all requests. To be called after ``stop()``, once the store is closed.
    func close(completion: @escaping @Sendable () -> Void) { http.close(completion: completion) }

    // MARK: One endpoint

    private func send(_ webhook: Webhook, _ index: Int) {
        // The endpoint wants nothing more: its webhooks become dead letters.
        if counters[index].gone.level > 0 { return settle(webhook, .unsent, index) }
        let endpoint = endpoints[index]
        // The time of the try is the wall clock's: receivers compare it with theirs.
        let headers = endpoint.secrets.headers(of: webhook.id, webhook.body, at: WallClock.now)
        let request = HTTPClientRequest(
            method: "POST", url: endpoint.url,
            headers: [("content-type", "application/json"), ("user-agent", "Belfry")] + headers,
            body: webhook.body, timeout: Self.timeout, wantsHeadersOfSuccess: false)
        http.send(request) { [self] result in
            let verdict: WebhookVerdict
            switch result {
            case .success(let answer):
                let delay = PushReply(status: answer.status, headers: answer.headers).retryAfter(at: WallClock.now)
                verdict = WebhookVerdict(status: answer.status, retryAfter: delay)
            case .failure(.closed):
                // The process leaves: whether it arrived is not known, so it is sent again when its lease ends.
                return lanes.settled(index)
            case .failure(let error): verdict = .failed(reason: error.description, retryAfter: nil)
            }
            switch verdict {
            case .delivered: lanes.succeeded(index)
            case .failed: lanes.failed(index)
            case .gone, .unsent: break
            }
            state.post { [self] state in
                note(verdict, index, &state.failing)
                settle(webhook, verdict, index)
            }
        }
    }

    private func settle(_ webhook: Webhook, _ verdict: WebhookVerdict, _ index: Int) {
        let judged = clockMoved()
        let outcome = verdict.outcome(of: webhook, at: now(), chance: .random(in: 0..<1))
        store.settle([outcome], clockMoved: judged) { [lanes, clockMoved] result in
            var due: Timestamp?
            if case .success = result, case .putOff(_, let time, _, _) = outcome {
                due = time + (clockMoved() - judged)
            }
            lanes.settled(index, due: due)
        }
    }

    private func note(_ verdict: WebhookVerdict, _ index: Int, _ failing: inout Set<Int>) {
        let name = endpoints[index].name
        switch verdict {
        case .delivered:
            counters[index].sent.add()
            if failing.remove(index) != nil {
                logger.info("webhooks arrive again", metadata: ["endpoint": "\(name)"])
            }
        case .failed(let reason, _):
            counters[index].failed.add()
            // Once for each outage.
            guard failing.insert(index).inserted else { return }
            logger.warning("webhooks do not arrive", metadata: ["endpoint": "\(name)", "reason": "\(reason)"])
        case .unsent: break
        case .gone:
            counters[index].failed.add()
            if counters[index].gone.level == 0 {
                logger.warning(
                    "an endpoint wants no more webhooks (410); they become dead letters until they are sent again",
                    metadata: ["endpoint": "\(name)"])
            }
            counters[index].gone.set(1)
        }
    }

    // MARK: All endpoints

    private func count() {
        store.webhookCounts { [endpoints, counters] result in
            guard case .success(let counts) = result else { return }
            for (endpoint, counters) in zip(endpoints, counters) {
                let count = counts[endpoint.name] ?? WebhookCount()
                counters.waiting.set(Int(count.waiting))
                counters.dead.set(Int(count.dead))
            }
        }
    }

    private func age() {
        guard store.isOnDuty else { return }
        store.removeWebhooks(madeBefore: now() + (.zero - keep)) { [logger] result in
            if case .success(let count) = result, count > 0 {
                logger.info("old webhooks were removed", metadata: ["count": "\(count)"])
            }
        }
    }
}
