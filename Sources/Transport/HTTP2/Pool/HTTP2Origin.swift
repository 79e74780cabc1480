import Dispatch

/// One server of an ``HTTP2Client`` on its shard: turns the pool's decisions into streams, sockets and timers.
final class HTTP2Origin {
    let authority: HTTP2Authority
    /// The core holds this origin until it forgets it.
    private unowned let core: HTTP2ClientCore
    private var pool: HTTP2Pool
    /// By ticket.
    private var exchanges: [HTTP2Exchange?] = []
    private var connections: [HTTP2ClientConnection] = []
    /// The addresses left to try, for each connection on which the server has not sent anything yet.
    private var dials: [HTTP2Pool.ConnectionKey: ArraySlice<HTTP2Address>] = [:]
    private var preference = HTTP2AddressPreference()
    /// Why the last attempt to connect failed, or how the last connection was lost. Safe for a log: it names neither an
    /// address nor a request.
    private var problem = ""
    private var timer: TimingWheel<TimerTarget>.Timer?
    private var isSettling = false
    private var isClosed = false
    /// Empty between turns; kept for its memory.
    private var ended: [HTTP2Exchange] = []

    init(_ authority: HTTP2Authority, core: HTTP2ClientCore) {
        self.authority = authority
        self.core = core
        pool = HTTP2Pool(core.settings)
    }

    // MARK: Requests

    /// Takes in a request; ``settle(_:)`` must follow.
    func enter(_ exchange: HTTP2Exchange, deadline: ContinuousClock.Instant, _ on: borrowing OnShard) {
        switch pool.enter(deadline: deadline, at: on.now) {
        case .admitted(let ticket):
            exchange.ticket = ticket
            // New tickets are numbered from 0.
            if ticket == exchanges.count { exchanges.append(exchange) } else { exchanges[ticket] = exchange }
        case .overloaded: exchange.complete(.failure(.overloaded))
        case .unreachable: exchange.complete(.failure(HTTPClientError(.unreachable, problem: problem)))
        }
    }

    /// Runs all pending decisions.
    func settle(_ on: borrowing OnShard) {
        // A decision may cause an event that calls this method again: the loop below then continues with it.
        guard !isSettling, !isClosed else { return }
        isSettling = true
        var next = pool.next(at: on.now)
        repeat {
            while let decision = next {
                run(decision, on)
                next = pool.next(at: on.now)
            }
            for connection in connections {
                connection.flush(on)
                takeEnded(of: connection, on)
            }
            next = pool.next(at: on.now)
        } while next != nil
        isSettling = false
        setTimer(on)
        if pool.isForgettable(at: on.now) { core.forget(self) }
    }

    private func run(_ decision: HTTP2Pool.Decision, _ on: borrowing OnShard) {
        switch decision {
        case .connect(let key): lookUp(for: key)
        case .start(let ticket, let key): start(ticket, on: key, on)
        case .fail(let ticket, let failure, let key):
            guard let exchange = take(ticket) else { return }
            if let key { connection(key)?.cancel(exchange) }
            exchange.complete(.failure(HTTPClientError(failure, problem: problem)))
        case .ping(let key): connection(key)?.ping(on)
        case .close(let key, let ending): close(key, ending, on)
        }
    }

    private func start(_ ticket: HTTP2Pool.Ticket, on key: HTTP2Pool.ConnectionKey, _ on: borrowing OnShard) {
        guard let exchange = exchanges[ticket], let connection = connection(key) else { return }
        do throws(HTTP2Failure) {
            try connection.submit(exchange, authority: authority.text)
        } catch {
            // Stream numbers are used once, and this connection has none left.
            pool.wentAway(key)
            pool.refused(ticket, at: on.now)
        }
    }

    private func take(_ ticket: HTTP2Pool.Ticket) -> HTTP2Exchange? {
        defer { exchanges[ticket] = nil }
        return exchanges[ticket]
    }

    private func takeEnded(of connection: HTTP2ClientConnection, _ on: borrowing OnShard) {
        connection.session.takeEnded(into: &ended)
        for exchange in ended { finish(exchange, on) }
        ended.removeAll(keepingCapacity: true)
    }

    private func finish(_ exchange: HTTP2Exchange, _ on: borrowing OnShard) {
        guard let result = exchange.result else { return pool.refused(exchange.ticket, at: on.now) }
        pool.finished(exchange.ticket, wasAnswered: exchange.wasAnswered, at: on.now)
        exchanges[exchange.ticket] = nil
        exchange.complete(result)
    }

    // MARK: Connections

    private func connection(_ key: HTTP2Pool.ConnectionKey) -> HTTP2ClientConnection? {
        connections.first { $0.key == key }
    }

    /// On another queue: a look-up blocks, and must not delay other requests.
    private func lookUp(for key: HTTP2Pool.ConnectionKey) {
        dials[key] = []
        DispatchQueue.global(qos: .utility).async { [inlet = core.inlet, authority] in
            let addresses = HTTP2Address.all(of: .tcp(host: authority.host, port: authority.port))
            inlet.post { core, on in core.found(addresses, for: key, of: authority.text, on) }
        }
    }

    func found(
        _ addresses: Result<[HTTP2Address], SystemCallError>, for key: HTTP2Pool.ConnectionKey, _ on: borrowing OnShard
    ) {
        guard dials[key] != nil else { return }
        switch addresses {
        case .success(let addresses):
            dials[key] = preference.order(addresses)[...]
        case .failure(let error): problem = error.reason
        }
        dial(key, on)
        settle(on)
    }

    /// Tries the next address, if any.
    private func dial(_ key: HTTP2Pool.ConnectionKey, _ on: borrowing OnShard) {
        while let address = dials[key]?.popFirst() {
            do {
                let session = try HTTP2ClientSession(responseBytes: core.settings.responseBytes)
                var made: HTTP2ClientConnection?
                _ = try Connection(descriptor: address.connect(), tls: core.tls, host: authority.host, on: on) {
                    let connection = HTTP2ClientConnection($0, key, session, to: address, of: self)
                    made = connection
                    return connection
                }
                guard let made else { continue }
                connections.append(made)
                made.begin(on)
                return
            } catch let error as SystemCallError {
                problem = error.reason
            } catch {
                problem = "\(error)"
            }
        }
        dials[key] = nil
        pool.closed(key, at: on.now, jitter: .random(in: 0..<1))
    }

    private func close(_ key: HTTP2Pool.ConnectionKey, _ ending: HTTP2Pool.Ending, _ on: borrowing OnShard) {
        dials[key] = nil
        let connection = connection(key)
        switch ending {
        case .connectTimeout:
            problem = "no answer within \(core.settings.connectTimeout.components.seconds) s"
            if let connection { preference.timedOut(connection.address) }
            connection?.close(on)
        case .dead:
            connection?.close(on)
            // Set after the close event, which knows a less exact reason.
            problem = "no answer to a PING"
        case .idle, .drained: connection?.finish(on)
        }
    }

    // MARK: Events

    /// Bytes have arrived.
    func heard(_ connection: HTTP2ClientConnection, _ on: borrowing OnShard) {
        if dials.removeValue(forKey: connection.key) != nil {
            preference.worked(connection.address)
            pool.connected(connection.key, at: on.now)
        }
        pool.heard(connection.key, at: on.now)
        let limit = min(connection.session.streamLimit, core.settings.streamsPerConnection)
        pool.limited(connection.key, toStreams: limit)
        if connection.session.hasGoneAway { pool.wentAway(connection.key) }
        takeEnded(of: connection, on)
        settle(on)
    }

    /// The connection is of no more use; may be called twice.
    func closed(_ connection: HTTP2ClientConnection, because reason: String, _ on: borrowing OnShard) {
        guard !isClosed else { return }
        connections.removeAll { $0 === connection }
        if connection.isEstablished {
            problem = reason
            dials[connection.key] = nil
            takeEnded(of: connection, on)
            pool.closed(connection.key, at: on.now, jitter: .random(in: 0..<1))
        } else if dials[connection.key] != nil {
            problem = reason
            dial(connection.key, on)
        }
        settle(on)
    }

    private func setTimer(_ on: borrowing OnShard) {
        guard let deadline = pool.nextDeadline else { return }
        let tick = on.shard.tick(after: deadline)
        // A later deadline leaves the timer where it is: the timer checks the deadline when it fires.
        if let timer, let planned = on.shard.tick(of: timer, on) {
            if planned <= tick { return }
            on.shard.cancel(timer, on)
        }
        let target = TimerTarget.Callback { [weak self] on in self?.timerFired(on) }
        timer = on.shard.schedule(.callback(target), atTick: tick, on)
    }

    private func timerFired(_ on: borrowing OnShard) {
        timer = nil
        pool.advance(to: on.now, jitter: .random(in: 0..<1))
        settle(on)
    }

    /// Ends all requests and says goodbye on all connections.
    func close(_ on: borrowing OnShard) {
        isClosed = true
        for exchange in exchanges { exchange?.complete(.failure(.closed)) }
        exchanges = []
        dials = [:]
        for connection in connections { connection.finish(on) }
        connections = []
    }
}
