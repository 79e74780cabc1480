import Inbox
import JSON
import Push
import Synchronization

/// What all connections to a sink share: the script, the stand-ins, and what the phones show. From any thread.
final class Sink: Sendable {
    private struct State {
        var script: SinkScript
        var tally: SinkTally
        var webPush: WebPushStandIn
        var screens = LockScreens()
        /// The newest last.
        var recent: [SinkRecord] = []
        var requests = 0
    }

    private static let recentRecords = 30

    private let state: Mutex<State>
    private let apns = APNsStandIn()
    private let fcm = FCMStandIn(projectID: SinkIdentity.projectID)
    private let oneSignal: OneSignalStandIn
    private let credentials: SinkCredentials
    private let tokenEndpoint: GoogleTokenEndpoint
    let subscribers: SinkSubscribers
    private let now: @Sendable () -> Timestamp
    private let outputs: SinkOutputs

    init(
        _ options: SinkOptions, baseURL: String, origins: Set<String>, now: @escaping @Sendable () -> Timestamp,
        outputs: SinkOutputs
    ) throws {
        let folder = options.folder
        let identity = folder.identity
        credentials = try SinkCredentials(folder: folder, apnsKeyFile: options.apnsKeyFile, audiences: origins)
        tokenEndpoint = GoogleTokenEndpoint(
            key: try folder.fcmPublicKey(), keyID: identity.fcmKeyID, clientEmail: SinkIdentity.clientEmail,
            audience: baseURL + "/token", tokens: credentials.tokens)
        oneSignal = OneSignalStandIn(appID: identity.oneSignalAppID)
        subscribers = try SinkSubscribers(folder: folder, baseURL: baseURL)
        var webPush = WebPushStandIn(baseURL: baseURL)
        webPush.subscribers = try subscribers.stored()
        state = Mutex(
            State(script: options.script, tally: SinkTally(keepsShown: options.keepsShown), webPush: webPush))
        self.now = now
        self.outputs = outputs
    }

    // MARK: Requests

    /// One request, and who judges it.
    private struct Exchange {
        let request: SinkRequest
        let route: SinkRoute
        /// As it is now: subscribers may come meanwhile.
        let webPush: WebPushStandIn
        /// Nil for the token endpoint.
        let standIn: (any ProviderStandIn)?
        let time: Timestamp
    }

    /// Decides about a request and records it.
    func receive(_ request: SinkRequest, for route: SinkRoute) -> SinkDecision {
        let webPush = state.withLock { $0.webPush }
        let exchange = Exchange(
            request: request, route: route, webPush: webPush, standIn: standIn(for: route, webPush), time: now())
        let device = exchange.standIn?.device(of: request)
        let fault = state.withLock { $0.script.next(route, device: device) }
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
        guard case .push(let provider) = exchange.route, let standIn = exchange.standIn else {
            return StandInOutcome(reply: tokenEndpoint.receive(exchange.request, at: exchange.time))
        }
        let credential = credentials.check(
            exchange.request, for: provider, webPush: exchange.webPush, at: exchange.time)
        return standIn.receive(exchange.request, credential: credential, id: UUIDText.random())
    }

    /// What comes of a request whose sender hears nothing.
    private func judge(_ exchange: Exchange, _ fate: SinkFault.Fate) -> StandInOutcome? {
        switch fate {
        case .lost: nil
        case .delivered: judge(exchange)
        }
    }

    private func reply(_ answer: SinkFault.Answer, to exchange: Exchange) -> PushReply {
        let reply =
            exchange.standIn?.reply(answer, to: exchange.request, id: UUIDText.random())
            ?? GoogleTokenEndpoint.reply(answer)
        return answer.applied(to: reply)
    }

    private func standIn(for route: SinkRoute, _ webPush: WebPushStandIn) -> (any ProviderStandIn)? {
        switch route {
        case .push(.apns): apns
        case .push(.fcm): fcm
        case .push(.onesignal): oneSignal
        case .push(.webpush): webPush
        case .token: nil
        }
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

    /// Lets the sink play one more browser.
    ///
    /// - Parameter applicationServerKey: whose pushes the browser takes; nil for anybody's.
    func addSubscriber(applicationServerKey: String?) throws -> WebPushSubscriber {
        let subscriber = try subscribers.add(applicationServerKey: applicationServerKey)
        state.withLock { $0.webPush.subscribers[subscriber.id] = subscriber }
        return subscriber
    }

    /// What the phones show, without the requests that came.
    var phonesJSON: [UInt8] {
        let screens = state.withLock { $0.screens }
        var json = JSONWriter(capacity: 4 << 10)
        json.object { json in
            json.key("phones")
            screens.write(to: &json)
        }
        return json.bytes
    }

    /// What the page shows: phones, and the newest requests first.
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
