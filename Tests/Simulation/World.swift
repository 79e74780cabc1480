import BelfryClient
import Deliveries
import Foundation
import Gateway
import Inbox
import Push
import ReferenceStore
import Support

/// One simulated run: people with apps and phones, a backend, a push service, and one Belfry on one disk.
///
/// First things go wrong, and no promise may be broken. Then nothing goes wrong any more, and everything has to come
/// right within a bounded time.
@MainActor
final class World: SimulatedNetwork {
    /// How long everything may take to come right, in microseconds of simulated time: the longest wait of a push that
    /// was refused for now, and then some.
    private static let settlingTime: Int64 = 3 * 3_600_000_000

    private let parts: Parts
    let timeline: Timeline
    let ledger: Ledger
    private(set) var faults: Faults
    /// What may go wrong in this run, or how many nodes there are, in words.
    let story: String
    private let mistake: Mistake?
    private var servers: Servers
    private var apps: [SimulatedApp] = []
    private let users: [String]
    /// Those whose phone has been registered for sure.
    private var phones: Set<String> = []
    /// Nobody can connect.
    private var isOut = false
    private var publishes = 0
    private(set) var actions = 0

    init(seed: UInt64, _ parts: Parts, mistake: Mistake?, without off: Set<Faults.Kind>, isTold: Bool) throws {
        (self.parts, self.mistake) = (parts, mistake)
        timeline = Timeline(seed: seed)
        timeline.isTold = isTold
        ledger = Ledger(timeline)
        faults = Faults(timeline, without: off)
        users = Array(["ada", "bob", "cleo", "dan"].prefix(1 + timeline.random.next(below: 4)))
        servers = Servers(timeline)
        story = ([servers.story] + faults.kinds.map(\.rawValue)).joined(separator: ", ")
        try servers.start(
            SimulatedNode.Surroundings(
                timeline: timeline, parts: parts, writes: 100...faults.write, ledger: ledger, mistake: mistake
            ) { [weak self] message, device, completion in self?.deliver(message, device, completion) })
        registerPhones()
        for user in users {
            for number in 0..<(1 + timeline.random.next(below: 3)) {
                apps.append(
                    SimulatedApp(
                        user: user, name: "\(user)-\(number)", token: parts.token(of: user), timeline, self,
                        isLooking: timeline.chance(2), mistake: mistake))
            }
        }
    }

    /// Whether a planted mistake can do harm in this run: false where it needs a fault that is off, or other nodes.
    var mayShowMistake: Bool {
        switch mistake {
        case .setClock: faults[.clock] != nil && !servers.areShared
        case .blindNode: faults[.messages] != nil && servers.areShared
        case .lyingDisk: faults[.crash] != nil && !servers.areShared
        case .busyIsSent: faults[.provider] != nil
        default: true
        }
    }

    private func registerPhones() {
        for user in users.prefix(3) where !phones.contains(user) {
            do { try register(user) } catch { isWrong("\(user) has no id: \(error)") }
        }
    }

    private func register(_ user: String) throws {
        let device = Device(id: "phone", provider: .apns, token: "\(user)-phone", registeredAt: timeline.rightTime)
        servers.any()?.store.register(device, for: try parts.id(of: user)) { [weak self] result in
            guard case .success = result else { return }
            MainActor.assumeIsolated { _ = self?.phones.insert(user) }
        }
    }

    // MARK: Steps

    /// Something happens, and time goes on a little.
    func act() throws {
        actions += 1
        let app = timeline.pick(apps)
        switch timeline.random.next(below: 100) {
        case 0..<30: publish()
        case 30..<38: app.look(timeline.chance(2))
        case 38..<46: if let item = some(of: app) { read(item, app) }
        case 46..<50: if let item = some(of: app) { remove(item, app) }
        case 50..<52:
            ledger.readsAll.insert(app.user)
            app.readAll()
        case 52..<55: app.more()
        case 55..<56: app.refresh()
        case 56..<62: answer(app)
        default: break
        }
        try fail(app)
        run(for: timeline.pick([500, 20_000, 200_000, 3_000_000]) + timeline.microseconds(0...1_000))
        guard actions % 10 == 0 else { return }
        if let database = servers.database { ledger.checkCounts(database) }
        if mistake == .lyingDisk { servers.keepOlderState() }
    }

    private func some(of app: SimulatedApp) -> InboxNotification? {
        app.snapshot.items.isEmpty ? nil : timeline.pick(Array(app.snapshot.items.prefix(8)))
    }

    private func answer(_ app: SimulatedApp) {
        let questions = app.snapshot.items.filter { $0.question != nil }
        guard !questions.isEmpty else { return }
        let id = timeline.pick(Array(questions.prefix(3))).id
        ledger.asks(toRead: id)
        app.answer(id, timeline.pick(["yes", "no"]))
    }

    private func read(_ item: InboxNotification, _ app: SimulatedApp) {
        ledger.asks(toRead: item.id)
        app.command(.read, ids: [item.id])
    }

    private func remove(_ item: InboxNotification, _ app: SimulatedApp) {
        ledger.asks(app.user, toRemove: item.displayText)
        app.command(.remove, ids: [item.id])
    }

    private func fail(_ app: SimulatedApp) throws {
        if happens(.crash) { servers.crashSoon { [self] in faults[.clock] != nil && timeline.chance(2) } }
        if happens(.fullDisk) { servers.fillDisk() }
        if happens(.clock) { servers.setClock() }
        if happens(.stop) { servers.stopOne() }
        if happens(.messages) { servers.loseMessages() }
        if happens(.database) { servers.losesDatabase() }
        if happens(.cut) { app.loseConnection(silently: false) }
        if happens(.silence) { app.loseConnection(silently: true) }
        if happens(.stall) {
            app.stall(true)
            timeline.after(timeline.microseconds(1_000...90_000_000)) { app.stall(false) }
        }
        if happens(.suspension) {
            app.suspend()
            timeline.after(timeline.microseconds(1_000...300_000_000)) { app.resume() }
        }
        if happens(.outage) {
            isOut = true
            timeline.after(timeline.microseconds(1_000...120_000_000)) { [self] in isOut = false }
        }
        if mistake == .driftingCount, timeline.chance(100) {
            servers.database?.change { state in
                guard let number = state.inboxes.keys.min(), let told = state.inboxes[number]?.state else { return }
                state.inboxes[number]?.state = InboxState(
                    epoch: told.epoch, seq: told.seq, unread: told.unread + 1, unseen: told.unseen, total: told.total)
            }
        }
    }

    private func happens(_ kind: Faults.Kind) -> Bool { faults[kind].map(timeline.chance) ?? false }

    /// Lets simulated time pass.
    private func run(for microseconds: Int64) {
        let end = timeline.elapsed + microseconds
        while timeline.advance(before: end) {}
        servers.giveTurns()
    }

    /// Nothing goes wrong any more: everything has to come right.
    func settle() throws {
        faults.end()
        isOut = false
        try servers.settle()
        registerPhones()
        for app in apps {
            app.stall(false)
            app.resume()
        }
        // Some runs take all the time, to see that things also stay right. The others end soon, for more of them.
        let end = timeline.elapsed + Self.settlingTime
        let takesAll = timeline.chance(8)
        repeat { run(for: 60_000_000) } while timeline.elapsed < end && (takesAll || !ledger.isContent(checkEnd))
        for app in apps { app.look(true) }
        run(for: 120_000_000)
        checkEnd()
    }

    /// Stops the servers, the apps and the time, and frees their memory. The ledger can still be read.
    func end() {
        servers.end()
        timeline.end()
        apps = []
    }

    private func checkEnd() {
        guard let database = servers.database else { return }
        ledger.checkCounts(database)
        ledger.checkEnd(database.state)
        for app in apps { ledger.checkClient(app, database) }
    }

    // MARK: The backend

    private static let question = """
        "question": {"actions": [{"id": "yes", "label": "Yes"}, {"id": "no", "label": "No"}]},
        """

    private func publish() {
        publishes += 1
        let people = users.filter { _ in timeline.chance(2) }
        guard !people.isEmpty else { return }
        let event = Ledger.Event(
            key: "event-\(publishes)", people: people, phones: phones, isUrgent: timeline.chance(5),
            isQuestion: timeline.chance(3),
            padding: timeline.chance(3) ? " " + String(repeating: "x", count: timeline.random.next(below: 2_000)) : "")
        ledger.events[event.key] = event
        send(event, try: 0)
    }

    private func send(_ event: Ledger.Event, try number: Int) {
        let again = { [self] in
            timeline.after(timeline.microseconds(50_000...2_000_000)) { [self] in send(event, try: number + 1) }
        }
        guard let node = servers.any() else { return again() }
        if mistake == .hastyAnswer { ledger.events[event.key]?.isAnswered = true }
        if mistake == .hastyAnswer, number > 0 { return }
        let key = mistake == .forgottenKey ? "\(event.key)-\(number)" : event.key
        let people = event.people.map { "\"\($0)\"" }.joined(separator: ",")
        let body = """
            {"type": "\(event.isUrgent ? "rang" : "said")", "key": "\(key)", "actor": {"id": "backend"},
             \(event.isQuestion ? Self.question : "") "to": {"people": [\(people)]}, "data": {"text": "\(event.key)\(event.padding)"}}
            """
        let link = node.connect(latency: 50...2_000, isPublisher: true)
        if happens(.cut) { timeline.after(timeline.microseconds(0...20_000)) { link.cut() } }
        timeline.tell("\(event.key) to \(event.people) is published, urgent: \(event.isUrgent)")
        HTTPAsker("POST", "/v1/events", body: body, patience: 10_000_000, over: link, timeline) { [self] answer in
            switch answer?.status {
            case 202?: ledger.events[event.key]?.isAnswered = true
            case nil:
                ledger.note(.unansweredPublish)
                again()
            case 429?, 503?, 507?:
                ledger.note(.refusedPublish)
                again()
            case let status?: isWrong("\(event.key) was answered by \(status)")
            }
        }
        node.giveTurns()
    }

    // MARK: The push service

    private func deliver(_ message: PushMessage, _ device: Device, _ completion: @escaping @Sendable (Verdict) -> Void)
    {
        let id = message.notification?.text
        let verdict = happens(.provider) ? badVerdict() : .accepted
        let delay: Int64 =
            if case .busy(_, _, .some) = verdict { 20_000_000 } else { timeline.microseconds(1_000...200_000) }
        timeline.tell("a push of \(id ?? "a number") to \(device.token): \(verdict) in \(delay) µs")
        timeline.after(delay) { [self] in
            if verdict == .accepted, let id { ledger.accepted(id) }
            completion(verdict)
        }
    }

    private func badVerdict() -> Verdict {
        switch timeline.random.next(below: 6) {
        case 0: .busy(retryAfter: .seconds(timeline.random.next(below: 60)), scope: .device)
        case 1: .busy(retryAfter: nil, scope: .provider)
        case 2: .refused(reason: "BadTopic")
        default: .noAnswer(NoAnswer(reason: "no answer"))
        }
    }

    // MARK: What apps have around them

    func connect() -> Link? {
        guard !isOut, let node = servers.any() else { return nil }
        return node.connect(latency: 200...faults.latency)
    }

    func confirmed(_ kind: BelfryClient.Command.Kind, _ ids: [String], of app: SimulatedApp) {
        ledger.confirmed(kind, ids)
    }

    func confirmed(_ action: String, to id: String) { ledger.confirmed(action, to: id) }

    func acknowledges(_ seq: Int64, by app: SimulatedApp, over link: Link) {
        guard app.isSeen else { return }
        ledger.said(seq, by: app.user)
        timeline.after(4 * faults.latency + 4 * faults.write + 50_000) { [self] in
            // The reference engine does not try an acknowledgement again that a full disk has refused.
            guard link.isOpen, !link.isSilent, !link.hasStalled, let node = link.node, !node.process.isDead,
                !node.process.hasBeenStopped, !node.disk.hasRefused
            else { return }
            ledger.stored(seq, by: app.user)
        }
    }

    func gets(_ frame: BelfryClient.JSONValue) {
        switch frame["type"]?.string {
        case "gap": ledger.note(.gap)
        case "reset": ledger.note(.reset)
        case "ready" where frame["recovered"]?.bool == true: ledger.note(.replay)
        default: break
        }
    }

    func isWrong(_ fault: String) { ledger.isWrong(fault) }
}
