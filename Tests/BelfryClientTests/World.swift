import Foundation

@testable import BelfryClient

/// A core with a simulated clock, sockets, requests and an app: everything that happens is a call, in its order.
final class World {
    private struct Waiting {
        let moment: Int64
        let number: Int
    }

    struct Request {
        let number: Int
        let call: RESTCall
        let token: String
    }

    private(set) var core: InboxCore
    /// Milliseconds that have passed.
    private(set) var elapsed: Int64 = 0
    /// The wall clock's time at the beginning; a test may set it.
    var offset: Int64 = 1_750_000_000_000
    var chance = 0.5
    private var timers: [InboxCore.Timer: Waiting] = [:]
    private var timerNumber = 0
    /// The app's answers, one after the other, the last one for ever.
    private var tokens: [JSONValue]
    private var asked: [TokenReason] = []

    /// How many were opened so far.
    private(set) var sockets = 0
    private var socket = 0
    private(set) var isConnected = false
    var sent: [ClientFrame] = []
    var events: [JSONValue] = []
    var reasons: [String] = []
    private(set) var requests: [Request] = []
    private(set) var results: [Int: Result<JSONValue, BelfryError>] = [:]
    private(set) var entries: [FeedEntry] = []
    private(set) var endings: [BelfryError?] = []
    /// How often something was shown.
    private(set) var shows = 0
    private var calls = 0

    init(
        tokens: [JSONValue] = ["token-1"], isLooking: Bool = true, badge: BadgeRule = .unread,
        archive: InboxArchive? = nil
    ) {
        self.tokens = tokens
        core = InboxCore(isLooking: isLooking, badge: badge, archive: archive)
        run { core, _ in core.begin() }
    }

    var now: Int64 { offset + elapsed }
    var moment: Moment { Moment(milliseconds: now, chance: chance) }
    var snapshot: InboxSnapshot { core.snapshot }

    /// Lets something happen, and then everything that is ready.
    func run(_ event: (inout InboxCore, Moment) -> [InboxCore.Effect]) {
        perform(event(&core, moment))
        while !asked.isEmpty {
            asked.removeFirst()
            let answer = tokens.count > 1 ? tokens.removeFirst() : tokens[0]
            let fails = answer["fails"] != nil
            perform(fails ? core.failedToGive(moment) : core.given(answer.string, moment))
        }
    }

    /// Makes a call of the app's.
    ///
    /// - Returns: its number, for ``results``.
    @discardableResult
    func call(_ begin: (inout InboxCore, Int, Moment) -> [InboxCore.Effect]) -> Int {
        calls += 1
        run { core, moment in begin(&core, calls, moment) }
        return calls
    }

    func open() { run { $0.opened(socket, $1) } }

    func close(_ code: Int?) {
        isConnected = false
        run { $0.closed(socket, code: code, $1) }
    }

    func server(_ frame: JSONValue) { run { $0.received(frame, from: socket, $1) } }

    func answer(_ status: Int, _ body: JSONValue) {
        let request = requests.removeFirst()
        let answer = HTTPAnswer(status: status, body: Data(body.text.utf8))
        run { $0.answered(request.number, .success(answer), $1) }
    }

    func failRequest() {
        let request = requests.removeFirst()
        run { $0.answered(request.number, .failure(.network("gone")), $1) }
    }

    func advance(_ milliseconds: Int64) {
        let end = elapsed + milliseconds
        while let (timer, waiting) = timers.min(by: {
            ($0.value.moment, $0.value.number) < ($1.value.moment, $1.value.number)
        }),
            waiting.moment <= end
        {
            timers.removeValue(forKey: timer)
            elapsed = max(elapsed, waiting.moment)
            run { $0.fired(timer, $1) }
        }
        elapsed = end
    }

    /// Time passes, but the client does not run.
    func freeze(_ milliseconds: Int64) {
        elapsed += milliseconds
        if core.isLooking { run { $0.wake($1) } }
        advance(0)
    }

    private func perform(_ effects: [InboxCore.Effect]) {
        for effect in effects {
            switch effect {
            case .open(let number): (sockets, socket, isConnected) = (sockets + 1, number, true)
            case .send(let frame, let number): if number == socket { sent.append(frame) }
            case .close(let number): if number == socket { isConnected = false }
            case .timer(let timer, let delay):
                timerNumber += 1
                timers[timer] = delay.map { Waiting(moment: elapsed + $0, number: timerNumber) }
            case .askForToken(let reason):
                asked.append(reason)
                reasons.append(reason.rawValue)
            case .request(let number, let call, let token):
                requests.append(Request(number: number, call: call, token: token))
            case .show: shows += 1
            case .tell(let change): if let event = Self.event(change) { events.append(event) }
            case .settle(let call, let result): results[call] = result
            case .entry(let entry, _): entries.append(entry)
            case .ended(_, let error): endings.append(error)
            case .finished: break
            }
        }
    }

    private static func event(_ change: InboxChange) -> JSONValue? {
        switch change {
        case .new(let row): ["new", .string(row.id)]
        case .update(let row): ["update", .string(row.id)]
        case .gone(let ids): ["gone", .array(ids.map(JSONValue.string))]
        case .reset: ["reset", nil]
        case .preferences(let settings): ["prefs", settings["rev"] ?? .null]
        case .status: nil
        }
    }
}
