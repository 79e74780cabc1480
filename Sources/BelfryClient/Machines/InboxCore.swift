/// Joins the machines of an inbox: whatever happens goes in, and what is to be done comes out. No I/O, no clock, no
/// chance.
///
/// Effects are carried out in their order. A socket has a number, and what an earlier one says is passed over.
struct InboxCore {
    enum Timer: Hashable { case session, pace, acknowledgements }

    enum Effect {
        /// Open a socket at the live protocol's address.
        case open(socket: Int)
        case send(ClientFrame, socket: Int)
        case close(socket: Int)
        /// Call ``fired(_:_:)`` after so many milliseconds; replaces the timer before it, nil only ends it.
        case timer(Timer, after: Int64?)
        case askForToken(TokenReason)
        case request(Int, RESTCall, token: String)
        case show(InboxSnapshot)
        case tell(InboxChange)
        case settle(call: Int, Result<JSONValue, BelfryError>)
        case entry(FeedEntry, subscription: Int)
        /// With nothing if the app itself has closed.
        case ended(subscription: Int, BelfryError?)
        /// Nothing comes any more.
        case finished
    }

    /// What a request is for.
    enum Purpose {
        case list(socket: Int)
        case older(InboxReplica.PageRequest)
        case answer(call: Int)
        case update(call: Int)
    }

    enum Socket: Equatable {
        case none
        /// The app is asked for a token first.
        case awaitingToken
        case opening, open
    }

    var session = SessionLife()
    var replica: InboxReplica
    var acks = Acknowledgements()
    var pace = Pace()
    var hub = FeedHub()
    var requests = Requests<Purpose>()
    var subscriptions: [Int: FeedSubscription] = [:]

    let badge: BadgeRule
    var socket = Socket.none
    var socketNumber = 0
    var outgoing: [ClientFrame] = []
    var isLooking: Bool
    /// What the server knows of that.
    var isActive = false
    /// Whether the server waits for another token on the open connection.
    var isRenewing = false
    /// Whether it was told that nothing comes any more.
    var isFinished = false
    /// Frames of commands by their ids, with the call that they are of.
    var commands: [String: Int] = [:]
    /// How many frames of a call are not answered yet.
    var unanswered: [Int: Int] = [:]
    var commandNumber = 0
    /// Calls that wait for older rows, and how often these may be asked for yet.
    var loading: (calls: [Int], tries: Int)?

    var snapshot = InboxSnapshot()
    var shownVersion = 0
    var changes: [InboxChange] = []
    var effects: [Effect] = []

    init(isLooking: Bool, badge: BadgeRule, archive: InboxArchive? = nil) {
        self.isLooking = isLooking
        self.badge = badge
        replica = InboxReplica(archive)
        // There is something to show before anything happens, and nobody to show it to.
        _ = drain()
    }

    // MARK: What happens

    mutating func begin() -> [Effect] {
        run(session.attempt())
        return drain()
    }

    mutating func opened(_ number: Int, _ moment: Moment) -> [Effect] {
        guard number == socketNumber, socket == .opening, let token = requests.token else { return [] }
        socket = .open
        isActive = isLooking
        let resume: JSONValue = ["epoch": .string(replica.epoch), "seq": .integer(replica.seq)]
        let hello = ["token": .string(token), "resume": resume, "active": .bool(isActive)] as [String: JSONValue]
        effects.append(.send(ClientFrame(type: "hello", members: hello), socket: number))
        return drain()
    }

    mutating func received(_ message: JSONValue, from number: Int, _ moment: Moment) -> [Effect] {
        guard number == socketNumber, socket == .open, let frame = ServerFrame(message) else { return [] }
        // The app hears of a session only once all machines know where it begins.
        let life = session.received(frame, moment)
        if frame.type == "ready" {
            pace.begin(frame)
            hub.begin()
        }
        take(frame, moment)
        run(life, moment)
        return drain()
    }

    mutating func closed(_ number: Int, code: Int?, _ moment: Moment) -> [Effect] {
        guard number == socketNumber, socket != .none else { return [] }
        run(session.closed(code, moment), moment)
        return drain()
    }

    mutating func fired(_ timer: Timer, _ moment: Moment) -> [Effect] {
        switch timer {
        case .session: run(session.expire(moment), moment)
        case .pace: pump(moment)
        case .acknowledgements:
            if let seq = acks.expire(isLooking: isLooking) {
                say(ClientFrame(type: "ack", members: ["seq": .integer(seq)]), moment)
            }
        }
        return drain()
    }

    /// The app has answered.
    ///
    /// - Parameter token: nil if nobody is signed in.
    mutating func given(_ token: String?, _ moment: Moment) -> [Effect] {
        guard session.stopReason == nil else { return [] }
        guard let token else { return stop(.signedOut) }
        session.renewed()
        let isWaiting = socket == .awaitingToken
        perform(requests.given(token), moment)
        if isWaiting { openSocket() }
        if isRenewing {
            isRenewing = false
            say(ClientFrame(type: "token", members: ["token": .string(token)]), moment)
        }
        return drain()
    }

    /// The app has no token now.
    mutating func failedToGive(_ moment: Moment) -> [Effect] {
        isRenewing = false
        let error = BelfryError(code: "no_token", message: "the app's closure for tokens threw", isTemporary: true)
        perform(requests.failed(error), moment)
        if socket == .awaitingToken { run(session.closed(nil, moment), moment) }
        return drain()
    }

    mutating func answered(
        _ request: Int, _ result: Result<HTTPAnswer, BelfryError>, _ moment: Moment
    ) -> [Effect] {
        perform(requests.answered(request, result), moment)
        return drain()
    }

    mutating func look(_ isLooking: Bool, _ moment: Moment) -> [Effect] {
        let hasChanged = self.isLooking != isLooking
        self.isLooking = isLooking
        if hasChanged {
            tellAttention(moment)
            acknowledge()
        }
        if isLooking { run(session.wake(moment), moment) }
        return drain()
    }

    /// The network is back, or the process was suspended.
    mutating func wake(_ moment: Moment) -> [Effect] {
        run(session.wake(moment), moment)
        return drain()
    }

    mutating func stop(_ reason: StopReason) -> [Effect] {
        run(session.stop(reason))
        return drain()
    }
}
