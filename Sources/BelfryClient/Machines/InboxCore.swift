/// Joins the machines of an inbox: events go in, and effects come out. No I/O, no clock, no chance.
///
/// Effects are carried out in order. Each socket has a number, and events of earlier sockets are ignored.
package struct InboxCore {
    package enum Timer: Hashable { case session, pace, acknowledgements }

    package enum Effect {
        /// Open a socket at the live protocol's address.
        case open(socket: Int)
        case send(ClientFrame, socket: Int)
        case close(socket: Int)
        /// Call ``fired(_:_:)`` after a number of milliseconds. Replaces the earlier timer; nil only ends that.
        case timer(Timer, after: Int64?)
        case askForToken(TokenReason)
        case request(Int, RESTCall, token: String)
        case show(InboxSnapshot)
        case tell(InboxChange)
        case settle(call: Int, Result<JSONValue, BelfryError>)
        case entry(FeedEntry, subscription: Int)
        /// The error is nil if the app itself has closed.
        case ended(subscription: Int, BelfryError?)
        /// There are no further effects.
        case finished
    }

    /// The purpose of a request.
    enum Purpose {
        case list(socket: Int)
        case older(InboxReplica.PageRequest)
        case answer(call: Int)
        case update(call: Int)
    }

    enum Socket: Equatable {
        case none
        /// The app's token is awaited.
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
    package internal(set) var isLooking: Bool
    /// The attention that the server was told.
    var isActive = false
    /// Whether the server waits for a new token on the open connection.
    var isRenewing = false
    /// Whether `finished` was reported.
    var isFinished = false
    /// The commands' frames by id, with the number of their call.
    var commands: [String: Int] = [:]
    /// The number of unanswered frames of each call.
    var unanswered: [Int: Int] = [:]
    var commandNumber = 0
    /// The calls that wait for older rows, and the number of attempts left.
    var loading: (calls: [Int], tries: Int)?

    package internal(set) var snapshot = InboxSnapshot()
    var shownVersion = 0
    var changes: [InboxChange] = []
    var effects: [Effect] = []

    package init(isLooking: Bool, badge: BadgeRule, archive: InboxArchive? = nil) {
        self.isLooking = isLooking
        self.badge = badge
        replica = InboxReplica(archive)
        // There is a state to show from the start, but no listener yet.
        _ = drain()
    }

    // MARK: What happens

    package mutating func begin() -> [Effect] {
        run(session.attempt())
        return drain()
    }

    package mutating func opened(_ number: Int, _ moment: Moment) -> [Effect] {
        guard number == socketNumber, socket == .opening, let token = requests.token else { return [] }
        socket = .open
        isActive = isLooking
        let resume: JSONValue = ["epoch": .string(replica.epoch), "seq": .integer(replica.seq)]
        let hello = ["token": .string(token), "resume": resume, "active": .bool(isActive)] as [String: JSONValue]
        effects.append(.send(ClientFrame(type: "hello", members: hello), socket: number))
        return drain()
    }

    package mutating func received(_ message: JSONValue, from number: Int, _ moment: Moment) -> [Effect] {
        guard number == socketNumber, socket == .open, let frame = ServerFrame(message) else { return [] }
        // The app learns of a session only after all machines know its position.
        let life = session.received(frame, moment)
        if frame.type == "ready" {
            pace.begin(frame)
            hub.begin()
        }
        take(frame, moment)
        run(life, moment)
        return drain()
    }

    package mutating func closed(_ number: Int, code: Int?, _ moment: Moment) -> [Effect] {
        guard number == socketNumber, socket != .none else { return [] }
        run(session.closed(code, moment), moment)
        return drain()
    }

    package mutating func fired(_ timer: Timer, _ moment: Moment) -> [Effect] {
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

    /// The app has answered the request for a token.
    ///
    /// - Parameter token: nil if nobody is signed in.
    package mutating func given(_ token: String?, _ moment: Moment) -> [Effect] {
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

    /// The app has no token at the moment.
    package mutating func failedToGive(_ moment: Moment) -> [Effect] {
        isRenewing = false
        let error = BelfryError(code: "no_token", message: "the app's closure for tokens threw", isTemporary: true)
        perform(requests.failed(error), moment)
        if socket == .awaitingToken { run(session.closed(nil, moment), moment) }
        return drain()
    }

    package mutating func answered(
        _ request: Int, _ result: Result<HTTPAnswer, BelfryError>, _ moment: Moment
    ) -> [Effect] {
        perform(requests.answered(request, result), moment)
        return drain()
    }

    package mutating func look(_ isLooking: Bool, _ moment: Moment) -> [Effect] {
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
    package mutating func wake(_ moment: Moment) -> [Effect] {
        run(session.wake(moment), moment)
        return drain()
    }

    package mutating func stop(_ reason: StopReason) -> [Effect] {
        run(session.stop(reason))
        return drain()
    }
}
