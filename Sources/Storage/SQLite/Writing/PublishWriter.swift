import Inbox

/// Turns publications into rows.
struct PublishWriter {
    let open: OpenTransaction

    /// Where the answer to an entry comes from.
    private enum Answer {
        case write
        case stored(PublishOutcome)
        /// The same key came earlier in this publication.
        case sameAs(index: Int)
    }

    /// All keys are judged before anything is written: a refusal leaves nothing behind.
    func publish(_ publication: Publication) throws -> Result<[PublishOutcome], StoreError> {
        let answers: [Answer]
        switch try judgeKeys(of: publication) {
        case .success(let judged): answers = judged
        case .failure(let refusal): return .failure(refusal)
        }
        try open.sweep(at: publication.now)
        var outcomes: [PublishOutcome] = []
        for (entry, answer) in zip(publication.entries, answers) {
            switch answer {
            case .write:
                outcomes.append(try write(entry, of: publication))
            case .stored(let outcome):
                outcomes.append(outcome)
            case .sameAs(let index):
                var outcome = outcomes[index]
                outcome.isReplay = true
                outcomes.append(outcome)
            }
        }
        return .success(outcomes)
    }

    private func judgeKeys(of publication: Publication) throws -> Result<[Answer], StoreError> {
        var firstUses: [ExactText: Int] = [:]
        var answers: [Answer] = []
        for (index, entry) in publication.entries.enumerated() {
            guard let key = entry.routed.event.key else {
                answers.append(.write)
                continue
            }
            let answer: Answer
            let fingerprint: UInt64
            if let first = firstUses[ExactText(key)] {
                (answer, fingerprint) = (.sameAs(index: first), publication.entries[first].fingerprint)
            } else if let use = try open.keys.use(of: key, by: publication.publisher, at: publication.now) {
                (answer, fingerprint) = (.stored(use.outcome), use.fingerprint)
            } else {
                firstUses[ExactText(key)] = index
                (answer, fingerprint) = (.write, entry.fingerprint)
            }
            guard fingerprint == entry.fingerprint else { return .failure(.keyReused(index: index)) }
            answers.append(answer)
        }
        return .success(answers)
    }

    private func write(_ entry: Publication.Entry, of publication: Publication) throws -> PublishOutcome {
        let routed = entry.routed
        let audience = try Audience(of: routed, topicMembers: open.topics.members(of:))
        // Several routes may lead to one type, and all its people share the contents.
        var fanOuts: [FanOut] = []
        var placesByType: [String: Int] = [:]
        for member in audience.members {
            let type = routed.routes[member.route].type
            let place = placesByType[type.name] ?? fanOuts.count
            if place == fanOuts.count {
                placesByType[type.name] = place
                fanOuts.append(FanOut(routed.event, as: type, id: entry.id, at: publication.now, in: open))
            }
            try fanOuts[place].deliver(to: member.user, own: member.own)
        }
        for excluded in audience.excluded {
            guard let inbox = try open.knownInbox(of: excluded.user) else { continue }
            open.trail.note(
                excluded.exclusion == .actor ? .isActor : .unrouted, type: nil, of: entry.id,
                to: TrailRecorder.Recipient(inbox: inbox.id, notification: nil))
        }
        let created = fanOuts.reduce(0) { $0 + $1.created }
        let updated = fanOuts.reduce(0) { $0 + $1.updated }
        let outcome = PublishOutcome(
            event: entry.id, recipients: created + updated, created: created, updated: updated,
            suppressed: audience.excluded.count + fanOuts.reduce(0) { $0 + $1.suppressed }, isReplay: false)
        if let key = routed.event.key {
            try open.keys.keep(
                KeyTable.Use(fingerprint: entry.fingerprint, outcome: outcome), of: key, by: publication.publisher,
                until: publication.now + open.options.keyLifetime)
        }
        return outcome
    }
}
