import Inbox
import Store
import Synchronization

/// What others tell this node, and what it finds out by itself.
extension ClusterNode {
    /// Begins to hear. On the queue.
    func hear(_ state: inout State) {
        guard let interval = host.mailInterval else {
            return host.listen(to: state.channel) { [weak self] in self?.heard($0) }
        }
        if state.readsMail { return }
        state.readsMail = true
        host.every(interval) { [weak self] in self?.readMail() }
    }

    private func heard(_ heard: Heard) {
        switch heard {
        // Anything may have been told before.
        case .beginning: lookAtAll()
        case .messages(let texts): for text in texts { self.heard(text) }
        }
    }

    private func readMail() {
        let mail: [String] = state.withLock { state in
            // The next flush or beat makes a new connection.
            guard let rows = state.rows, rows.isOpen else { return [] }
            do { return try rows.takeMail(of: state.node) } catch {
                lose(&state)
                return []
            }
        }
        for text in mail { heard(text) }
    }

    private func heard(_ text: String) {
        switch NewsPayload(text, providers: rules.providers) {
        case .commit(let commit)?:
            bus.receive(commit)
            search.fillGaps()
        case .look(let subjects)?: search.look(at: subjects, isTold: true)
        // A node of another version speaks, so its news are looked up.
        case .lookAtAll?, nil: search.lookAtAll(isTold: true)
        case .notes?: readNotes()
        case .beat(let sent)?:
            beatWatch.withLock { $0.heard() }
            meter.heardBeat(sentAt: sent, host.now)
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
        host.run(after: .zero) { [weak self] in
            guard let self else { return }
            let commits = state.withLock { state in takeNotes(&state) }
            for commit in commits { tell(commit) }
        }
    }

    private func takeNotes(_ state: inout State) -> [Commit] {
        // What is read before anybody listens would be lost.
        guard let rows = state.rows, rows.isOpen, bus.hasListeners else { return [] }
        do {
            let notes = try rows.takeNotes(mayHaveMissedSome: state.mayHaveMissedNotes)
            state.mayHaveMissedNotes = false
            return notes
        } catch {
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
                let rows = try connect(&state)
                let pause = host.now - state.lastBeat
                state.lastBeat = host.now
                state.beats += 1
                var needsLook = pause > Self.longestPause
                if try !rows.renew(state.node) {
                    // The others have given this node up: nobody told it anything for a while.
                    try register(&state, in: rows)
                    state.mayHaveMissedNotes = true
                    needsLook = true
                }
                let roundTrip = try rows.lookAtClock()
                let living = try rows.living()
                // A node that died may have told nobody of its last commits.
                if !state.living.isSubset(of: living.working) { needsLook = true }
                state.living = living.working
                meter.beat(nodes: living.working.count, roundTrip: roundTrip)
                // Told to itself, which says how long messages take, and whether any come.
                let beat = NewsPayload.beat(meter.runningMicroseconds(at: host.now)).text
                try rows.post([(state.node, state.channel, beat)])
                let isDeaf = beatWatch.withLock { watch in
                    watch.sent(at: host.now)
                    return watch.isOver(at: host.now)
                }
                if isDeaf { hear(&state) }
                let isOnDuty = try rows.takeDuty(state.node)
                if isOnDuty {
                    try rows.endLeases()
                    if state.beats % 10 == 0 { try rows.removeDead() }
                }
                return (isOnDuty, needsLook, takeNotes(&state))
            } catch {
                host.failed(error)
                meter.beatFailed()
                lose(&state)
                return (false, false, [])
            }
        }
        for commit in commits { tell(commit) }
        take(duty: isOnDuty)
        if isOnDuty, meter.beginsReading(at: host.now) {
            host.readFigures { [meter, host] in meter.read($0, at: host.now) }
        }
        if needsLook { search.lookAtAll() } else { search.lookAtSome() }
    }
}
