import BelfryClient
import Foundation
import Inbox
import Support
import WireProtocol

/// One installation of an app: the client library's own rules, over simulated connections, time and attention.
@MainActor
final class SimulatedApp {
    let user: String
    /// The device's id.
    let name: String
    private let token: String
    private let timeline: Timeline
    private let network: any SimulatedNetwork
    private var core: InboxCore
    private var timers: [InboxCore.Timer: Int] = [:]
    private var timerNumber = 0
    private var link: Link?
    private var handshake: WebSocketClientHandshake?
    private var machine: WebSocketMachine?
    private var socket = 0
    private var calls = 0
    /// The commands that the server has not confirmed, by the number of their call.
    private(set) var openCalls: [Int: (BelfryClient.Command.Kind, [String])] = [:]
    /// The answers to questions that the server has not confirmed.
    private var answers: [Int: (id: String, action: String)] = [:]
    /// Checks the numbers of what comes.
    private(set) var reader = FrameReader()
    /// Suspended by its phone: it does not run, and takes nothing.
    private(set) var isSuspended = false
    private var missed: [() -> Void] = []

    init(
        user: String, name: String, token: String, _ timeline: Timeline, _ network: any SimulatedNetwork,
        isLooking: Bool, mistake: Mistake?
    ) {
        (isSeen, self.mistake) = (isLooking, mistake)
        (self.user, self.name, self.token) = (user, name, token)
        (self.timeline, self.network) = (timeline, network)
        core = InboxCore(isLooking: isLooking || mistake == .inattentiveAck, badge: .unread)
        perform(core.begin())
    }

    var snapshot: InboxSnapshot { core.snapshot }
    /// Whether somebody really looks at it.
    private(set) var isSeen: Bool
    private let mistake: Mistake?

    private var moment: Moment {
        Moment(milliseconds: timeline.rightTime.milliseconds, chance: timeline.fraction())
    }

    /// Lets something happen to the app; later, if it is suspended.
    private func run(_ event: @escaping (inout InboxCore, Moment) -> [InboxCore.Effect]) {
        if isSuspended { return missed.append { [self] in perform(event(&core, moment)) } }
        perform(event(&core, moment))
    }

    // MARK: What people do

    func look(_ isLooking: Bool) {
        run { [self] in
            isSeen = isLooking
            return $0.look(isLooking || mistake == .inattentiveAck, $1)
        }
    }
    func more() { call { $0.more(call: $1, $2) } }
    func refresh() { call { $0.refresh(call: $1, $2) } }

    func command(_ kind: BelfryClient.Command.Kind, ids: [String]) {
        guard !isSuspended else { return }
        openCalls[calls + 1] = (kind, ids)
        call { $0.command(kind, ids: ids, call: $1, $2) }
    }

    func answer(_ id: String, _ action: String) {
        guard !isSuspended else { return }
        answers[calls + 1] = (id, action)
        call { $0.answer(id, action, call: $1, $2) }
    }

    func readAll() { call { $0.command(.read, upTo: nil, call: $1, $2) } }

    private func call(_ begin: @escaping (inout InboxCore, Int, Moment) -> [InboxCore.Effect]) {
        calls += 1
        let number = calls
        run { begin(&$0, number, $1) }
    }

    func suspend() {
        timeline.tell("\(name) is suspended")
        isSuspended = true
        link?.isStalled = true
    }

    func resume() {
        guard isSuspended else { return }
        isSuspended = false
        link?.isStalled = false
        link?.arrived()
        let missed = missed
        self.missed = []
        for event in missed { event() }
        run { $0.wake($1) }
    }

    /// The network fails.
    func loseConnection(silently: Bool) {
        timeline.tell("\(name)'s connection is \(silently ? "silent" : "cut")")
        silently ? link?.silence() : link?.cut()
    }
    func stall(_ isStalled: Bool) {
        timeline.tell("\(name) \(isStalled ? "takes nothing" : "takes again")")
        link?.isStalled = isStalled
        link?.arrived()
    }

    // MARK: Effects

    private func perform(_ effects: [InboxCore.Effect]) {
        for effect in effects {
            switch effect {
            case .open(let number): open(number)
            case .send(let frame, let number): if number == socket { send(frame.text) }
            case .close(let number): if number == socket { closeLink() }
            case .timer(let timer, let delay): set(timer, delay)
            case .askForToken:
                timeline.after(timeline.microseconds(1_000...50_000)) { [self] in run { $0.given(self.token, $1) } }
            case .request(let number, let call, let token): request(number, call, token)
            case .settle(let call, let result):
                if let answer = answers.removeValue(forKey: call), case .success = result {
                    network.confirmed(answer.action, to: answer.id)
                }
                guard let (kind, ids) = openCalls.removeValue(forKey: call) else { continue }
                if case .success = result { network.confirmed(kind, ids, of: self) }
            case .show, .tell, .entry, .ended, .finished: break
            }
        }
    }

    private func set(_ timer: InboxCore.Timer, _ delay: Int64?) {
        timerNumber += 1
        timers[timer] = timerNumber
        guard let delay else { return }
        let number = timerNumber
        timeline.after(delay * 1_000) { [self] in
            guard timers[timer] == number else { return }
            run { $0.fired(timer, $1) }
        }
    }

    private func request(_ number: Int, _ call: RESTCall, _ token: String) {
        let answered = { [self] (answer: HTTPAnswer?) in
            run { $0.answered(number, answer.map(Result.success) ?? .failure(.network("no answer")), $1) }
        }
        guard let link = network.connect() else {
            return timeline.after(timeline.microseconds(1_000...100_000)) { answered(nil) }
        }
        HTTPAsker(
            call.method, call.path, headers: [("Authorization", "Bearer \(token)")], body: call.body?.text ?? "",
            patience: 30_000_000, over: link, timeline, completion: answered)
    }

    // MARK: The socket

    private func open(_ number: Int) {
        timeline.tell("\(name) connects")
        closeLink()
        socket = number
        reader.begin()
        guard let link = network.connect() else {
            return timeline.after(timeline.microseconds(1_000...100_000)) { [self] in
                run { $0.closed(number, code: nil, $1) }
            }
        }
        self.link = link
        link.isStalled = isSuspended
        let nonce = (0..<16).map { _ in UInt8(truncatingIfNeeded: timeline.random.next()) }
        let handshake = WebSocketClientHandshake(
            authority: "simulated", path: "/v1/live", subprotocols: [], headers: [:], nonce: nonce)
        self.handshake = handshake
        machine = nil
        link.received = { [weak self] in self?.received($0, number) }
        link.closed = { [weak self] in self?.ended(number, nil) }
        link.send(handshake.request)
    }

    private func closeLink() {
        if machine != nil { link?.send(FrameEncoder.close(1000, maskingKey: 0)) }
        link?.close()
        (link, handshake, machine) = (nil, nil, nil)
    }

    private func ended(_ number: Int, _ code: Int?) {
        guard number == socket, link != nil else { return }
        timeline.tell("\(name)'s connection ends: \(code ?? 0)")
        link?.close()
        (link, handshake, machine) = (nil, nil, nil)
        run { $0.closed(number, code: code, $1) }
    }

    private func send(_ text: String) {
        guard machine != nil, let link else { return }
        if let frame = try? BelfryClient.JSONValue(parsing: Data(text.utf8)) {
            if let resume = frame["resume"]?["seq"]?.integer { reader.resumes(from: resume) }
            if frame["type"]?.string == "ack", let seq = frame["seq"]?.integer {
                network.acknowledges(seq, by: self, over: link)
            }
        }
        timeline.tell("\(name) sends \(text.prefix(20)) \(text.suffix(90))")
        link.send(FrameEncoder.text(Array(text.utf8), maskingKey: UInt32(truncatingIfNeeded: timeline.random.next())))
    }

    private func received(_ bytes: [UInt8], _ number: Int) {
        guard number == socket else { return }
        var bytes = bytes
        if var handshake, machine == nil {
            bytes.withUnsafeBytes { handshake.append($0) }
            self.handshake = handshake
            do {
                guard let acceptance = try self.handshake?.next() else { return }
                machine = WebSocketMachine(role: .client, maximumMessageBytes: 16 << 20)
                run { $0.opened(number, $1) }
                bytes = acceptance.remainder
            } catch {
                return ended(number, nil)
            }
        }
        for event in events(in: bytes) {
            guard number == socket, link != nil else { return }
            switch event {
            case .message(let text): read(text, number)
            case .answer(let frame): link?.send(frame)
            case .end(let code): ended(number, code)
            }
        }
    }

    private enum Event {
        case message([UInt8])
        case answer([UInt8])
        case end(Int?)
    }

    private func events(in bytes: [UInt8]) -> [Event] {
        var events: [Event] = []
        // JSON readers look a little further than the bytes go.
        var room = bytes + [UInt8](repeating: 0, count: WebSocketPayload.paddingBytes)
        room.withUnsafeMutableBytes { room in
            var input = WebSocketInput(UnsafeMutableRawBufferPointer(rebasing: room[..<bytes.count]))
            while let event = machine?.next(in: &input, with: Self.compression, maskingKey: 7) {
                switch event {
                case .text(let payload), .binary(let payload):
                    events.append(.message(payload.withUnsafeBytes { Array($0) }))
                case .ping(let pong): events.append(.answer(pong))
                case .pong: break
                case .finish(let ending, let closeFrame):
                    if let closeFrame { events.append(.answer(closeFrame)) }
                    events.append(.end(Int(ending.code)))
                }
            }
        }
        return events
    }

    private static let compression = MessageCompression()

    private func read(_ text: [UInt8], _ number: Int) {
        guard let frame = try? BelfryClient.JSONValue(parsing: Data(text)) else {
            return network.isWrong("\(name) got a frame that is no JSON")
        }
        timeline.tell("\(name) gets \(frame.text)")
        if let fault = reader.fault(in: frame) { network.isWrong("\(name): \(fault)") }
        network.gets(frame)
        run { $0.received(frame, from: number, $1) }
    }
}

/// The surroundings of an app.
@MainActor
protocol SimulatedNetwork: AnyObject {
    /// A connection to the server; nil if nobody is there.
    func connect() -> Link?
    /// The server has confirmed a command.
    func confirmed(_ kind: BelfryClient.Command.Kind, _ ids: [String], of app: SimulatedApp)
    /// The server has confirmed an answer to a question.
    func confirmed(_ action: String, to id: String)
    /// An attentive app says how far it has shown everything.
    func acknowledges(_ seq: Int64, by app: SimulatedApp, over link: Link)
    func gets(_ frame: BelfryClient.JSONValue)
    /// A promise was broken.
    func isWrong(_ fault: String)
}
