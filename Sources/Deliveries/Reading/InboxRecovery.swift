import Inbox
package import Store

/// Finds the changes of one inbox that a client has missed, as of one moment.
package struct InboxRecovery {
    let reads: any InboxReads
    let inbox: InboxRecord
    let rules: StoreOptions

    package init(reads: any InboxReads, inbox: InboxRecord, rules: StoreOptions) {
        (self.reads, self.inbox, self.rules) = (reads, inbox, rules)
    }

    package func recovery(from position: InboxPosition?) throws -> Recovery {
        let state = inbox.state
        // A client without a position begins with a page of its own.
        guard let position else { return Recovery(state: state, result: .changes([])) }
        if position.epoch == state.epoch, (0...state.seq).contains(position.seq),
            state.seq - position.seq <= rules.changeLogLength, let changes = try changes(after: position.seq)
        {
            return Recovery(state: state, result: .changes(changes))
        }
        let query = PageQuery(start: .offset(0), limit: rules.firstPageLength)
        let page = try InboxList(reads: reads, inbox: inbox).page(query)
        return Recovery(state: state, result: .reset(page.notifications))
    }

    /// Every change after `seq`; nil if one is missing or damaged. A client that starts anew is better than one with a
    /// wrong count.
    private func changes(after seq: Int64) throws -> [InboxChange]? {
        let logged = try reads.changes(after: seq, inbox: inbox.id)
        let grown = try notifications(logged.compactMap { $0.change.grown })
        var changes = try arrivals(after: seq)
        for (stamp, change) in logged {
            if let kind = kind(of: change, at: stamp.seq, grown) {
                changes.append(InboxChange(stamp: stamp, kind: kind))
            }
        }
        changes.sort { $0.stamp.seq < $1.stamp.seq }
        let isContiguous = changes.map(\.stamp.seq).elementsEqual((seq + 1)..<(inbox.state.seq + 1))
        return isContiguous ? changes : nil
    }

    /// The notifications that are still there, in their current state, each at the `seq` at which it came.
    private func arrivals(after seq: Int64) throws -> [InboxChange] {
        let rows = try reads.rows(after: seq, inbox: inbox.id)
        return zip(rows, try reads.notifications(rows, of: inbox)).compactMap { row, notification in
            let stamp = ChangeStamp(seq: row.id, unread: row.unreadAfter, unseen: row.unseenAfter, delta: 1)
            return notification.map { InboxChange(stamp: stamp, kind: .new($0)) }
        }
    }

    /// Those that are still there, in their current state; nil for a damaged one.
    private func notifications(_ ids: [Int64]) throws -> [Int64: Notification?] {
        if ids.isEmpty { return [:] }
        let rows = try reads.rows(Set(ids).sorted(), inbox: inbox.id)
        return Dictionary(uniqueKeysWithValues: zip(rows.map(\.id), try reads.notifications(rows, of: inbox)))
    }

    /// Nil for a change of a damaged notification.
    private func kind(
        of change: LoggedChange, at seq: Int64, _ grown: [Int64: Notification?]
    ) -> InboxChange.Kind? {
        switch change {
        case .update(let id), .raised(let id, _):
            switch grown[id] {
            case .some(let notification): notification.map { .update($0) }
            // It was removed since then.
            case nil: .removed(.ids([NotificationID(inbox: inbox.id, sequence: id)]))
            }
        case .read(let selection): .read(selection)
        case .seen(let seq): .seen(upTo: seq)
        case .removed(let selection): .removed(selection)
        case .gone: .removed(.ids([NotificationID(inbox: inbox.id, sequence: seq)]))
        }
    }
}

extension LoggedChange {
    /// The notification that has grown, if it is such a change.
    fileprivate var grown: Int64? {
        switch self {
        case .update(let id), .raised(let id, _): id
        default: nil
        }
    }
}
