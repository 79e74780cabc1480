import Dispatch
import Inbox
import Postgres
import Store
import Synchronization

/// What this node watches, and what it tells others.
extension ClusterNode {
    /// Has this node's sessions hear of a subject. Reads of it that begin behind ``ClusterBus/whenOpen(_:_:)`` leave no
    /// hole.
    func watch(_ subject: NewsSubject) {
        if bus.watch(subject) { gather { $0.opening.append(subject) } }
    }

    func unwatch(_ subject: NewsSubject) {
        if bus.unwatch(subject) { gather { $0.closing.append(subject) } }
    }

    /// Announces a commit of this node, and tells the others.
    func announce(_ commit: Commit, answers: () -> Void) {
        erased(commit)
        bus.announce(commit, answers: answers)
        guard !commit.isEmpty else { return }
        var news = Commit()
        (news.inboxes, news.feeds) = (commit.inboxes, commit.feeds)
        // Notes tell the rest, and each node's own lanes look for pushes.
        let hasNotes = NodeNotes.hasNotes(commit)
        guard !news.isEmpty || hasNotes else { return }
        gather { gathered in
            if !news.isEmpty { gathered.commits.append(news) }
            if hasNotes { gathered.hasNotes = true }
        }
    }

    /// Passes on items of feeds that keep none.
    func pass(_ items: [FeedItem]) {
        var commit = Commit()
        commit.passing = items
        gather { $0.commits.append(commit) }
    }

    // MARK: Questions

    /// How long answers of other nodes are awaited.
    private static let patience = DispatchTimeInterval.seconds(1)

    /// Asks the nodes that watch a person's inbox.
    func ask(_ question: NodeQuestion, _ completion: @escaping @Sendable ([Bool]) -> Void) {
        queue.async { [self] in
            let asked: Int64? = state.withLock { state in
                var number: Int64?
                do {
                    let connection = try connect(&state)
                    let key = NewsSubject.inbox(question.user).presenceKey
                    let nodes = try NodeTable.watchers(of: [key], except: state.node, on: connection)
                    if nodes.isEmpty { return nil }
                    let asked = questions.ask(nodes.count, completion)
                    number = asked
                    let text = NewsPayload.question(asked, question, answerTo: state.channel).text
                    try post(nodes.map { ($0.node, $0.channel, text) }, connection)
                } catch {
                    lose(&state)
                }
                return number
            }
            guard let asked else { return completion([]) }
            queue.asyncAfter(deadline: .now() + Self.patience) { [questions] in questions.giveUp(asked) }
        }
    }

    /// Does what was gathered. On the queue.
    func flush() {
        let gathered = takeGathered()
        state.withLock { state in
            guard !state.isStopped else { return }
            let wasLost = state.isLost
            do {
                let connection = try connect(&state)
                if !gathered.opening.isEmpty { try open(gathered.opening, state.node, connection) }
                try send(gathered, state.node, connection)
                try close(gathered.closing, state.node, connection)
                state.isLost = false
                if wasLost {
                    // Others may have missed what this node could not send.
                    for other in try NodeTable.others(than: state.node, on: connection) {
                        try post([(other.node, other.channel, NewsPayload.lookAtAll.text)], connection)
                    }
                    search.lookAtAll()
                }
            } catch {
                // Whoever waits is told to come back. What others were to hear, they find out by asking.
                for subject in gathered.opening { bus.giveUp(subject) }
                keep(gathered.opening, gathered.closing)
                lose(&state)
            }
        }
    }

    private func open(_ subjects: [NewsSubject], _ node: Int64, _ connection: PostgresConnection) throws {
        let subjects = Array(Set(subjects)).filter { bus.isWatched($0) }
        guard !subjects.isEmpty else { return }
        try NodeTable.watch(subjects, node, on: connection)
        // Behind the commit that makes others tell this node: what they committed before is found here.
        for head in try HeadTable.heads(of: subjects, on: connection) {
            bus.open(head.subject, epoch: head.epoch, at: head.number)
        }
        search.fillGaps()
    }

    private func close(_ subjects: [NewsSubject], _ node: Int64, _ connection: PostgresConnection) throws {
        // Some may be watched again by now.
        let subjects = subjects.filter { !bus.isWatched($0) }
        if !subjects.isEmpty { try NodeTable.unwatch(subjects, node, on: connection) }
    }

    private func send(_ gathered: Gathered, _ node: Int64, _ connection: PostgresConnection) throws {
        var messages = gathered.messages
        if gathered.hasNotes {
            messages += try NodeTable.others(than: node, on: connection).map {
                ($0.node, $0.channel, NewsPayload.notes.text)
            }
        }
        if !gathered.commits.isEmpty { messages += try news(gathered.commits, node, connection) }
        if !messages.isEmpty { try post(messages, connection) }
    }

    /// For each other node what its sessions watch.
    private func news(
        _ commits: [Commit], _ node: Int64, _ connection: PostgresConnection
    ) throws -> [(node: Int64?, channel: String, text: String)] {
        var keys: Set<String> = []
        for commit in commits {
            for delivery in commit.inboxes { keys.insert(NewsSubject.inbox(delivery.user).presenceKey) }
            for delivery in commit.feeds { keys.insert(NewsSubject.feed(ExactText(delivery.item.feed)).presenceKey) }
            for item in commit.passing { keys.insert(NewsSubject.feed(ExactText(item.feed)).presenceKey) }
        }
        var watched: [Int64: (channel: String, keys: Set<String>)] = [:]
        for watcher in try NodeTable.watchers(of: Array(keys), except: node, on: connection) {
            watched[watcher.node, default: (watcher.channel, [])].keys.insert(watcher.key)
        }
        return watched.flatMap { other, watcher in
            var joined = Commit()
            for commit in commits {
                joined.inboxes += commit.inboxes.filter {
                    watcher.keys.contains(NewsSubject.inbox($0.user).presenceKey)
                }
                joined.feeds += commit.feeds.filter {
                    watcher.keys.contains(NewsSubject.feed(ExactText($0.item.feed)).presenceKey)
                }
                joined.passing += commit.passing.filter {
                    watcher.keys.contains(NewsSubject.feed(ExactText($0.feed)).presenceKey)
                }
            }
            return NewsPayload.texts(of: joined).map { (other, watcher.channel, $0) }
        }
    }

    func post(
        _ messages: [(node: Int64?, channel: String, text: String)], _ connection: PostgresConnection
    ) throws {
        switch options.wakeUps {
        case .listen:
            for message in messages { try connection.notify(message.channel, message.text) }
            try connection.settle()
        case .poll:
            // A message to a channel alone answers a node that may be gone by now.
            try connection.run(
                """
                INSERT INTO mail (node, payload) SELECT node.id, new.payload
                FROM unnest($1, $2, $3) WITH ORDINALITY AS new (node, channel, payload, place)
                JOIN node ON node.id = new.node OR node.channel = new.channel ORDER BY new.place
                """,
                [
                    .int64s(messages.map(\.node)), .texts(messages.map(\.channel)), .texts(messages.map(\.text)),
                ])
        }
    }
}
