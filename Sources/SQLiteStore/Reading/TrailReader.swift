import Deliveries
import GRDB
import Inbox
import Push
import Store

/// Reads an event's trail, as of the snapshot that `db` is in.
struct TrailReader {
    /// For how many recipients a summary counts the later steps: about a tenth of a second's work.
    private static let countedRecipients = 10_000

    private let db: Database
    private let damage: DamageWatch
    private let recipients: TrailedRecipientReader

    /// - Parameter damage: hears of rows that cannot be read.
    init(_ db: Database, _ jobs: PushJobIndex, _ providers: ProviderList, _ damage: DamageWatch) throws {
        (self.db, self.damage) = (db, damage)
        recipients = try TrailedRecipientReader(db, jobs, providers, damage)
    }

    func report(_ query: TrailQuery) throws -> TrailReport? {
        guard let id = try id(query.event), let (event, verdicts) = try event(id) else { return nil }
        let inbox = try query.user.flatMap(recipients.inbox)
        var summary = TrailReport.Summary()
        var failures: [TrailReport.Failure] = []
        var page: [TrailedPerson] = []
        var (people, notified) = (0, 0)
        // One page of the event at a time: in all it may have millions of people.
        for verdicts in verdicts {
            for person in TrailedPerson.people(of: verdicts) {
                if let user = query.user, !person.isOne(user, inbox: inbox) { continue }
                summary.count(person.verdict)
                if people >= query.after, page.count < query.limit { page.append(person) }
                people += 1
                guard person.notification != nil else { continue }
                notified += 1
                guard notified <= Self.countedRecipients else { continue }
                summary.count(try recipients.recipient(person, since: event.acceptedAt), &failures)
            }
        }
        summary.failures = failures
        summary.isWhole = notified <= Self.countedRecipients
        let isAtEnd = page.isEmpty || query.after + page.count == people
        return TrailReport(
            event: event, summary: summary,
            recipients: try page.map { try recipients.recipient($0, since: event.acceptedAt) },
            next: isAtEnd ? nil : query.after + page.count)
    }

    private func id(_ name: TrailQuery.Name) throws -> String? {
        switch name {
        case .id(let id): return id
        case .key(let key, let publisher):
            let find = try db.cachedStatement(
                sql: "SELECT event FROM trail_event WHERE publisher = ? AND key = ? ORDER BY event DESC")
            let naming = RowNaming(table: "trail_event")
            return try find.sound([publisher, key], of: naming, damage, limit: 1) { try $0.text(0) }.first
        }
    }

    private func event(_ id: String) throws -> (TrailedEvent, [TrailVerdicts])? {
        let find = try db.cachedStatement(
            sql: "SELECT \(TrailedEvent.columns), verdicts FROM trail_event WHERE event = ? ORDER BY page")
        let naming = RowNaming(table: "trail_event")
        let rows = try find.sound([id], of: naming, damage) { row in
            guard let verdicts = try row.bytes(TrailedEvent.columnCount).flatMap(TrailVerdicts.init(bytes:)) else {
                throw naming.row(row)
            }
            return (event: try TrailedEvent(row), verdicts: verdicts)
        }
        return rows.first.map { ($0.event, rows.map(\.verdicts)) }
    }
}

extension TrailedPerson {
    /// - Parameter inbox: the user's; nil for a user without one.
    fileprivate func isOne(_ user: UserID, inbox: Int64?) -> Bool {
        stranger == user || (self.inbox != nil && self.inbox == inbox)
    }
}

// MARK: Counting

extension TrailReport.Summary {
    fileprivate mutating func count(_ verdict: TrailVerdicts.Verdict) {
        people += 1
        if verdict.isLive { live += 1 }
        switch verdict.decision {
        case .created(let push):
            created += 1
            count(push)
        case .grew(let push):
            grown += 1
            count(push)
        case .pushOnly(let push):
            switch push {
            case .queued: created += 1
            case .batched: grown += 1
            case .never, .preferenceOff, .noDevice, .expired: suppressed += 1
            }
            count(push)
        case .isActor, .unrouted, .muted, .preferenceOff:
            suppressed += 1
        }
    }

    private mutating func count(_ push: PushDecision) {
        if case .queued(let devices, _, _) = push { pushes.queued += devices }
    }

    fileprivate mutating func count(_ recipient: TrailedRecipient, _ failures: inout [TrailReport.Failure]) {
        switch recipient.state {
        case .read: read += 1
        case .seen: seen += 1
        case .unseen, .gone, nil: break
        }
        pushes.waiting += recipient.waiting.count
        var isAcknowledged = false
        for step in recipient.steps {
            switch step.step {
            case .sent, .folded: pushes.sent += 1
            case .cancelled(let cause):
                pushes.cancelled += 1
                if cause == .acknowledged { isAcknowledged = true }
            case .refused(let reason):
                pushes.refused += 1
                Self.note(reason, step.provider, in: &failures)
            case .deviceGone: pushes.gone += 1
            case .expired: pushes.expired += 1
            case .dropped: pushes.dropped += 1
            case .withdrawn, .putOff, .patched, .retracted, .shrunk: break
            }
        }
        if isAcknowledged { acknowledged += 1 }
    }

    private static func note(_ reason: String, _ provider: Device.Provider?, in failures: inout [TrailReport.Failure]) {
        if let place = failures.firstIndex(where: { $0.provider == provider && $0.reason == reason }) {
            failures[place].count += 1
        } else {
            failures.append(TrailReport.Failure(provider: provider, reason: reason, count: 1))
        }
    }
}
