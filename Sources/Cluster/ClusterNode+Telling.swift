package import Inbox
package import Store
import Synchronization

/// What this node watches, and what it tells others.
extension ClusterNode {
    /// Has this node's sessions hear of a subject. Reads of it that begin behind ``ClusterBus/whenOpen(_:_:)`` leave no
    /// hole.
    package func watch(_ subject: NewsSubject) {
        if bus.watch(subject) { gather { $0.opening.append(subject) } }
    }

    package func unwatch(_ subject: NewsSubject) {
        if bus.unwatch(subject) { gather { $0.closing.append(subject) } }
    }

    /// Announces a commit of this node, and tells the others.
    package func announce(_ commit: Commit, answers: () -> Void) {
        erased(commit)
        bus.announce(commit, answers: answers)
        guard !commit.isEmpty else { return }
        var news = Commit()
        (news.inboxes, news.feeds) = (commit.inboxes, commit.feeds)
        // Notes tell the rest, and each node's own lanes look for pushes.
        let hasNotes = Self.notes(of: commit) != nil
        guard !news.isEmpty || hasNotes else { return }
        gather { gathered in
            if !news.isEmpty { gathered.commits.append(news) }
            if hasNotes { gathered.hasNotes = true }
        }
    }

    /// The part of a commit that every node has to hear of, and that has no numbers: people who are gone, who left a
    /// topic, whose settings changed, whose tokens no longer count. The engine keeps it in the commit's transaction, for
    /// ``NodeRows/takeNotes(mayHaveMissedSome:)``.
    ///
    /// - Returns: nil if there is nothing of the kind.
    package static func notes(of commit: Commit) -> Commit? {
        var notes = Commit()
        (notes.erased, notes.departures, notes.settings) = (commit.erased, commit.departures, commit.settings)
        notes.revoked = commit.revoked
        return notes.isEmpty ? nil : notes
    }

    /// Passes on items of feeds that keep none.
    package func pass(_ items: [FeedItem]) {
        var commit = Commit()
        commit.passing = items
        gather { $0.commits.append(commit) }
    }

    // MARK: Questions

    /// How long answers of other nodes are awaited.
    private static let patience = Duration.seconds(1)

    /// Asks the nodes that watch a person's inbox.
    package func ask(_ question: NodeQuestion, _ completion: @escaping @Sendable ([Bool]) -> Void) {
        host.run(after: .zero) { [self] in
            let asked: Int64? = state.withLock { state in
                var number: Int64?
                do {
                    let rows = try connect(&state)
                    let nodes = try rows.watchers(of: [.inbox(question.user)], except: state.node)
                    if nodes.isEmpty { return nil }
                    let asked = questions.ask(nodes.count, completion)
                    number = asked
                    let text = NewsPayload.question(asked, question, answerTo: state.channel).text
                    try rows.post(nodes.map { ($0.node, $0.channel, text) })
                } catch {
                    lose(&state)
                }
                return number
            }
            guard let asked else { return completion([]) }
            host.run(after: Self.patience) { [questions] in questions.giveUp(asked) }
        }
    }

    // MARK: On the queue

    /// Does what was gathered.
    func flush() {
        let gathered = takeGathered()
        state.withLock { state in
            guard !state.isStopped else { return }
            let wasLost = state.isLost
            do {
                let rows = try connect(&state)
                if !gathered.opening.isEmpty { try open(gathered.opening, state.node, rows) }
                try send(gathered, state.node, rows)
                try close(gathered.closing, state.node, rows)
                state.isLost = false
                if wasLost {
                    // Others may have missed what this node could not send.
                    try rows.post(
                        rows.others(than: state.node).map { ($0.node, $0.channel, NewsPayload.lookAtAll.text) })
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

    private func open(_ subjects: [NewsSubject], _ node: Int64, _ rows: any NodeRows) throws {
        let subjects = Array(Set(subjects)).filter { bus.isWatched($0) }
        guard !subjects.isEmpty else { return }
        try rows.watch(subjects, node)
        // Behind the commit that makes others tell this node: what they committed before is found here.
        for head in try rows.heads(of: subjects) { bus.open(head.subject, epoch: head.epoch, at: head.number) }
        search.fillGaps()
    }

    private func close(_ subjects: [NewsSubject], _ node: Int64, _ rows: any NodeRows) throws {
        // Some may be watched again by now.
        let subjects = subjects.filter { !bus.isWatched($0) }
        if !subjects.isEmpty { try rows.unwatch(subjects, node) }
    }

    private func send(_ gathered: Gathered, _ node: Int64, _ rows: any NodeRows) throws {
        var messages = gathered.messages
        if gathered.hasNotes {
            messages += try rows.others(than: node).map { ($0.node, $0.channel, NewsPayload.notes.text) }
        }
        if !gathered.commits.isEmpty { messages += try news(gathered.commits, node, rows) }
        if !messages.isEmpty { try rows.post(messages) }
    }

    /// For each other node what its sessions watch.
    private func news(_ commits: [Commit], _ node: Int64, _ rows: any NodeRows) throws -> [NodeRows.Message] {
        var subjects: Set<NewsSubject> = []
        for commit in commits {
            for delivery in commit.inboxes { subjects.insert(.inbox(delivery.user)) }
            for delivery in commit.feeds { subjects.insert(.feed(ExactText(delivery.item.feed))) }
            for item in commit.passing { subjects.insert(.feed(ExactText(item.feed))) }
        }
        var watchers: [Int64: (channel: String, subjects: Set<NewsSubject>)] = [:]
        for watcher in try rows.watchers(of: Array(subjects), except: node) {
            watchers[watcher.node, default: (watcher.channel, [])].subjects.insert(watcher.subject)
        }
        return watchers.flatMap { other, watcher in
            var joined = Commit()
            for commit in commits {
                joined.inboxes += commit.inboxes.filter { watcher.subjects.contains(.inbox($0.user)) }
                joined.feeds += commit.feeds.filter { watcher.subjects.contains(.feed(ExactText($0.item.feed))) }
                joined.passing += commit.passing.filter { watcher.subjects.contains(.feed(ExactText($0.feed))) }
            }
            return NewsPayload.texts(of: joined).map { (other, watcher.channel, $0) }
        }
    }
}
