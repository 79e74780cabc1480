/// The app's calls. Each has a number, and is settled once.
extension InboxCore {
    /// The most ids in a frame, which may have a few kilobytes only.
    private static let idsPerFrame = 100
    /// The number of attempts to load older rows, if the rows before them change meanwhile.
    private static let tries = 3

    package mutating func command(_ kind: Command.Kind, ids: [String], call: Int, _ moment: Moment) -> [Effect] {
        guard !isOver(call) else { return drain() }
        if ids.isEmpty { effects.append(.settle(call: call, .success(.null))) }
        for start in stride(from: 0, to: ids.count, by: Self.idsPerFrame) {
            let part = Array(ids[start..<min(start + Self.idsPerFrame, ids.count)])
            begin(kind, .ids(Set(part)), part, call, moment)
        }
        return drain()
    }

    /// - Parameter seq: nil for everything so far.
    package mutating func command(_ kind: Command.Kind, upTo seq: Int64?, call: Int, _ moment: Moment) -> [Effect] {
        guard !isOver(call) else { return drain() }
        begin(kind, .upTo(seq ?? replica.seq), [], call, moment)
        return drain()
    }

    package mutating func answer(_ notification: String, _ action: String, call: Int, _ moment: Moment) -> [Effect] {
        guard !isOver(call) else { return drain() }
        begin(.answer, .ids([notification]), [notification], call, moment, action: action)
        return drain()
    }

    private mutating func begin(
        _ kind: Command.Kind, _ selection: Edit.Selection, _ ids: [String], _ call: Int, _ moment: Moment,
        action: String? = nil
    ) {
        commandNumber += 1
        let command = Command(id: "c\(commandNumber)", kind: kind, selection: selection, ids: ids, action: action)
        commands[command.id] = call
        unanswered[call, default: 0] += 1
        replica.begin(command)
        say(command.frame, moment)
    }

    mutating func settle(_ id: String, _ result: Result<JSONValue, BelfryError>) {
        guard let call = commands.removeValue(forKey: id) else { return }
        replica.settle(id)
        // An earlier frame of this call was refused.
        guard let left = unanswered[call] else { return }
        unanswered[call] = left - 1
        if left > 1, case .success = result { return }
        unanswered.removeValue(forKey: call)
        effects.append(.settle(call: call, result))
    }

    package mutating func more(call: Int, _ moment: Moment) -> [Effect] {
        guard !isOver(call) else { return drain() }
        if loading != nil {
            loading?.calls.append(call)
        } else {
            loading = ([call], Self.tries)
            loadOlder(moment)
        }
        return drain()
    }

    private mutating func loadOlder(_ moment: Moment?) {
        guard let tries = loading?.tries, tries > 0, let request = replica.more() else {
            return finishLoading(.success(.null))
        }
        loading?.tries -= 1
        perform(requests.begin(.list(before: request.before), for: .older(request)), moment)
    }

    private mutating func finishLoading(_ result: Result<JSONValue, BelfryError>) {
        for call in loading?.calls ?? [] { effects.append(.settle(call: call, result)) }
        loading = nil
    }

    /// Fetches changes, even without a connection; settled with whether there were any.
    package mutating func refresh(call: Int, _ moment: Moment) -> [Effect] {
        guard !isOver(call) else { return drain() }
        if session.isSynced, replica.lag == 0 {
            effects.append(.settle(call: call, .success(false)))
            return drain()
        }
        var list = RESTCall.list()
        if replica.archive != nil { list.etag = "\"\(replica.epoch).\(replica.seq)\"" }
        perform(requests.begin(list, for: .update(call: call)), moment)
        return drain()
    }

    /// Any other call, settled with the `data` of its answer.
    mutating func call(_ rest: RESTCall, call: Int, _ moment: Moment) -> [Effect] {
        guard !isOver(call) else { return drain() }
        perform(requests.begin(rest, for: .answer(call: call)), moment)
        return drain()
    }

    mutating func follow(_ feed: String, from start: FeedStart, subscription: Int, _ moment: Moment) -> [Effect] {
        if let reason = session.stopReason {
            let error = reason == .closed ? nil : BelfryError(reason)
            effects.append(.ended(subscription: subscription, error))
            return drain()
        }
        subscriptions[subscription] = FeedSubscription(feed: feed, start: start)
        subscribe(subscription, moment)
        return drain()
    }

    /// The app has ended the subscription.
    mutating func leave(subscription: Int, _ moment: Moment) -> [Effect] {
        guard let feed = subscriptions.removeValue(forKey: subscription)?.feed,
            !subscriptions.values.contains(where: { $0.feed == feed })
        else { return [] }
        for frame in hub.leave(feed) { say(frame, moment) }
        return drain()
    }

    private mutating func isOver(_ call: Int) -> Bool {
        guard let reason = session.stopReason else { return false }
        effects.append(.settle(call: call, .failure(BelfryError(reason))))
        return true
    }

    // MARK: Answers of REST

    mutating func finish(_ purpose: Purpose, _ result: Result<HTTPAnswer, BelfryError>, _ moment: Moment?) {
        switch purpose {
        case .answer(let call):
            effects.append(.settle(call: call, Self.body(result).map { $0["data"] ?? $0 }))
        case .list(let number):
            // Without a moment the client has stopped. Another connection has asked again, if needed.
            guard let moment, number == socketNumber else { return }
            guard case .success(let page) = Self.page(result) else { return run(session.closed(nil, moment), moment) }
            run(replica.fresh(page), moment)
        case .older(let request):
            switch Self.page(result) {
            case .success(let page):
                if replica.take(page, for: request) { finishLoading(.success(.null)) } else { loadOlder(moment) }
            case .failure(let error): finishLoading(.failure(error))
            }
        case .update(let call): update(call, result, moment)
        }
    }

    private mutating func update(_ call: Int, _ result: Result<HTTPAnswer, BelfryError>, _ moment: Moment?) {
        if case .success(let answer) = result, answer.status == 304 {
            return effects.append(.settle(call: call, .success(false)))
        }
        switch Self.page(result) {
        case .failure(let error): effects.append(.settle(call: call, .failure(error)))
        case .success(let page):
            // On an open connection the client fetches changes by itself.
            let news = session.isLive ? [] : replica.adopt(page)
            if let moment { run(news, moment) }
            effects.append(.settle(call: call, .success(.bool(!news.isEmpty))))
        }
    }

    private static func body(_ result: Result<HTTPAnswer, BelfryError>) -> Result<JSONValue, BelfryError> {
        result.flatMap { answer in
            // A proxy may have answered with a page of its own.
            (try? JSONValue(parsing: answer.body)).map { .success($0) } ?? .failure(.network("the answer is no JSON"))
        }
    }

    private static func page(_ result: Result<HTTPAnswer, BelfryError>) -> Result<InboxPage, BelfryError> {
        body(result).flatMap { value in
            InboxPage(value).map { .success($0) } ?? .failure(.network("the answer is no page of the list"))
        }
    }
}

extension RESTCall {
    /// The request for a page of the list.
    ///
    /// - Parameter id: the notification behind which the page begins; empty for the first page.
    static func list(before id: String = "") -> RESTCall {
        RESTCall(path: "/api/notifications?limit=100&before=" + escape(id))
    }
}
