import Dispatch
import Inbox
import Postgres
import Store
import Synchronization

/// What others tell this node, and what it finds out by itself.
extension ClusterNode {
    /// Begins to hear. On the queue.
    func hear(_ state: inout State, _ node: Int64, _ channel: String) {
        switch options.wakeUps {
        case .listen(let other):
            let notifications = PostgresNotifications(other ?? address, options.connection, channels: [channel]) {
                [weak self] event in self?.heard(event)
            }
            let earlier = listener.withLock { exchange(&$0, with: notifications) }
            earlier?.stop()
            notifications.start()
        case .poll(let interval):
            guard state.timers.count < 2 else { return }
            setTimer(&state, every: interval) { [weak self] in self?.readMail() }
        }
    }

    private func heard(_ event: PostgresNotifications.Event) {
        switch event {
        // Anything may have been told before.
        case .listening: lookAtAll()
        case .received(let all): for one in all { heard(one.payload) }
        case .lost: break
        }
    }

    private func readMail() {
        let mail: [String] = state.withLock { state in
            // The next flush or beat makes a new connection.
            guard let connection = state.connection, connection.isOpen else { return [] }
            do {
                return try connection.run(
                    """
                    WITH read AS (DELETE FROM mail WHERE node = $1 RETURNING id, payload)
                    SELECT payload FROM read ORDER BY id
                    """, [.int64(state.node)]
                ).map { try $0.text(0) }
            } catch {
                lose(&state)
                return []
            }
        }
        for text in mail { heard(text) }
    }

    private func heard(_ text: String) {
        let payload = NewsPayload(text, providers: options.rules.providers)
        switch payload {
        case .commit(let commit)?:
            bus.receive(commit)
            search.fillGaps()
        case .look(let subjects)?: search.look(at: subjects, isTold: true)
        // A node of another version speaks, so its news are looked up.
        case .lookAtAll?, nil: search.lookAtAll(isTold: true)
        case .notes?: readNotes()
        case .beat(let sent)?:
            beatWatch.withLock { $0.heard() }
            meter.heardBeat(sentAt: sent)
        case .question(let number, let question, let channel)?:
            questions.answer(question) { [weak self] sessions in
                self?.gather { $0.messages.append((nil, channel, NewsPayload.answer(number, sessions).text)) }
            }
        case .answer(let number, let sessions)?: questions.answered(number, sessions)
        }
    }

    /// Looks at everything that may have been missed.
    private func lookAtAll() {
        search.lookAtAll()
        readNotes()
    }

    private func readNotes() {
        queue.async { [weak self] in
            guard let self else { return }
            let commits = state.withLock { state in readNotes(&state) }
            for commit in commits { tell(commit) }
        }
    }

    private func readNotes(_ state: inout State) -> [Commit] {
        // What is read before anybody listens would be lost.
        guard let connection = state.connection, connection.isOpen, state.notes != nil, bus.hasListeners else {
            return []
        }
        do { return try state.notes?.read(on: connection) ?? [] } catch {
            lose(&state)
            return []
        }
    }

    private func tell(_ note: Commit) {
        // First, so that whoever hears of it and reads again waits for the new line.
        erased(note)
        bus.receive(note)
    }

    /// Has the lines of erased people begin anew: new inboxes of the same names are others.
    func erased(_ commit: Commit) {
        for user in commit.erased where bus.restart(.inbox(user), isErased: true) {
            gather { $0.opening.append(.inbox(user)) }
        }
    }

    // MARK: Beats

    func beatNow() {
        let (isOnDuty, needsLook, commits): (Bool, Bool, [Commit]) = state.withLock { state in
            guard !state.isStopped else { return (false, false, []) }
            do {
                let connection = try connect(&state)
                let pause = ContinuousClock.now - state.lastBeat
                state.lastBeat = .now
                state.beats += 1
                var needsLook = pause > Self.longestPause
                if try !NodeTable.renew(state.node, on: connection) {
                    // The others have given this node up: nobody told it anything for a while.
                    try register(&state, on: connection)
                    state.notes?.mayHaveMissedSome = true
                    needsLook = true
                }
                let roundTrip = try clock.look(on: connection)
                let living = try NodeTable.living(on: connection)
                // A node that died may have told nobody of its last commits.
                if !state.living.isSubset(of: living.working) { needsLook = true }
                state.living = living.working
                meter.beat(nodes: living.working.count, roundTrip: roundTrip)
                // Told to itself, which says how long messages take, and whether any come.
                let beat = NewsPayload.beat(meter.runningMicroseconds).text
                try post([(state.node, state.channel, beat)], connection)
                let isDeaf = beatWatch.withLock { watch in
                    watch.sent(at: .now)
                    return watch.isOver(at: .now)
                }
                if isDeaf { hear(&state, state.node, state.channel) }
                let isOnDuty = try NodeTable.takeDuty(state.node, on: connection)
                if isOnDuty {
                    _ = try NodeTable.endLeases(on: connection)
                    if state.beats % 10 == 0 { try NodeTable.removeDead(on: connection) }
                }
                return (isOnDuty, needsLook, readNotes(&state))
            } catch {
                options.onFailure(StoreError(error))
                meter.beatFailed()
                lose(&state)
                return (false, false, [])
            }
        }
        for commit in commits { tell(commit) }
        take(duty: isOnDuty)
        if isOnDuty, meter.beginsReading() {
            readers.read {
                try DatabaseFigures(on: $0)
            } then: { [meter] in
                meter.read(try? $0.get())
            }
        }
        if needsLook { search.lookAtAll() } else { search.lookAtSome() }
    }
}
