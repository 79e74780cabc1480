import Inbox
import JSON
import Push
import Synchronization

/// The state that all connections to a sink share: the script, the stand-ins, and the phones' screens. From any thread.
final class Sink: Sendable {
    private struct State {
        var script: SinkScript
        var tally: SinkTally
        var screens = LockScreens()
        /// The newest record is the last.
        var recent: [SinkRecord] = []
        var requests = 0
    }

    private static let recentRecords = 30

    private let state: Mutex<State>
    private let services: [any SinkService]
    let providers: ProviderList
    private let now: @Sendable () -> Timestamp
    private let outputs: SinkOutputs

    init(
        _ options: SinkOptions, baseURL: String, origins: Set<String>, now: @escaping @Sendable () -> Timestamp,
        outputs: SinkOutputs
    ) throws {
        let parts = SinkParts(
            folder: options.folder, apnsKeyFile: options.apnsKeyFile, baseURL: baseURL, origins: origins)
        providers = options.services.providers
        services = try options.services.all.compactMap { try $0.makeSinkService(parts) }
        state = Mutex(State(script: options.script, tally: SinkTally(keepsShown: options.keepsShown)))
        self.now = now
        self.outputs = outputs
    }

    /// The service that judges a request, and the request's kind.
    struct Recipient {
        let service: any SinkService
        let route: SinkRoute
    }

    /// - Parameter path: with the query, if there is one.
    /// - Returns: nil for a path of no push service, such as the sink's own pages.
    func recipient(path: String) -> Recipient? {
        let path = path.prefix { $0 != "?" }
        for service in services {
            if let route = service.route(path: path) { return Recipient(service: service, route: route) }
        }
        return nil
    }

    /// A service's answer at a path of its own.
    func page(_ request: SinkRequest) -> PushReply? {
        for service in services {
            if let page = service.page(request) { return page }
        }
        return nil
    }

    // MARK: Requests

    /// One request, with the service that judges it.
    private struct Exchange {
        let request: SinkRequest
        let recipient: Recipient
        let time: Timestamp

        var route: SinkRoute { recipient.route }
    }

    /// Decides about a request and records it.
    func receive(_ request: SinkRequest, for recipient: Recipient) -> SinkDecision {
        let exchange = Exchange(request: request, recipient: recipient, time: now())
        let device = recipient.route == .token ? nil : recipient.service.device(of: request)
        let fault = state.withLock { $0.script.next(recipient.route, device: device) }
        let (decision, outcome) = decide(exchange, fault)
        record(exchange, device, fault: fault, decision.reply, outcome?.shown ?? [])
        return decision
    }

    private func decide(_ exchange: Exchange, _ fault: SinkFault?) -> (SinkDecision, StandInOutcome?) {
        switch fault {
        case .answer(let answer): return (.answer(reply(answer, to: exchange)), nil)
        case .noAnswer(let fate): return (.silence, judge(exchange, fate))
        case .reset(let fate): return (.reset, judge(exchange, fate))
        case .drop(let fate): return (.drop, judge(exchange, fate))
        case .refuseStream: return (.refuse, nil)
        case .goAway(.none): return (.goAwayBefore, nil)
        case .goAway(.this):
            let outcome = judge(exchange)
            return (.goAwayAfter(outcome.reply), outcome)
        case .delay(let delay):
            let outcome = judge(exchange)
            return (.answerLater(outcome.reply, delay), outcome)
        case nil:
            let outcome = judge(exchange)
            return (.answer(outcome.reply), outcome)
        }
    }

    private func judge(_ exchange: Exchange) -> StandInOutcome {
        exchange.recipient.service.receive(
            exchange.request, for: exchange.route, at: exchange.time, id: UUIDText.random())
    }

    /// The outcome of a request that gets no answer.
    private func judge(_ exchange: Exchange, _ fate: SinkFault.Fate) -> StandInOutcome? {
        switch fate {
        case .lost: nil
        case .delivered: judge(exchange)
        }
    }

    private func reply(_ answer: SinkFault.Answer, to exchange: Exchange) -> PushReply {
        let reply = exchange.recipient.service.reply(
            answer, to: exchange.request, for: exchange.route, id: UUIDText.random())
        return answer.applied(to: reply)
    }

    private func record(
        _ exchange: Exchange, _ device: String?, fault: SinkFault?, _ reply: PushReply?, _ shown: [ShownPush]
    ) {
        let record = state.withLock { state in
            state.requests += 1
            let record = SinkRecord(
                number: state.requests, at: exchange.time, route: exchange.route, device: device,
                request: exchange.request, fault: fault?.name, reply: reply, shown: shown)
            state.tally.count(record)
            if case .push(let provider) = exchange.route {
                for push in shown { state.screens.apply(push, from: provider, at: exchange.time) }
            }
            if state.recent.count == Self.recentRecords { state.recent.removeFirst() }
            state.recent.append(record)
            return record
        }
        outputs.write(record)
    }

    // MARK: What people ask for

    var script: SinkScript {
        get { state.withLock { $0.script } }
        set { state.withLock { $0.script = newValue } }
    }

    var summary: [UInt8] { state.withLock { $0.tally }.json }

    /// The phones' screens, without the requests.
    var phonesJSON: [UInt8] {
        let screens = state.withLock { $0.screens }
        var json = JSONWriter(capacity: 4 << 10)
        json.object { json in
            json.key("phones")
            screens.write(to: &json)
        }
        return json.bytes
    }

    /// The page's data: phones, and the newest requests first.
    var screensJSON: [UInt8] {
        let (screens, recent, tally) = state.withLock { ($0.screens, $0.recent, $0.tally) }
        var json = JSONWriter(capacity: 16 << 10)
        json.object { json in
            json.member("requests", tally.requests)
            json.member("accepted", tally.accepted)
            json.key("phones")
            screens.write(to: &json)
            json.key("recent")
            json.array { json in
                for record in recent.reversed() { json.raw(record.line) }
            }
        }
        return json.bytes
    }
}
