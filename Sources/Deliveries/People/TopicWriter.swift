import Inbox
import Store

/// Changes who is in a topic, a step at a time.
package struct TopicWriter {
    package let open: OpenTransaction

    /// Advances an edit by at most `limit` members that are added, removed or looked at.
    package func step(_ edit: inout TopicEdit, limit: Int) throws {
        let known = try open.topics.row(of: edit.topic)
        switch edit.position {
        case .adding(0):
            // There is nobody to add, and nobody to remove.
            guard known != nil || !edit.newcomers.isEmpty else {
                edit.position = .ended
                return
            }
            let topic = try known?.id ?? open.topics.create(edit.topic)
            if let replacement = edit.replacement {
                try open.topics.write(replacement: replacement, topic: topic)
            }
            try add(from: 0, to: topic, &edit, limit)
        case .adding(let start):
            guard let topic = topic(known, of: &edit) else { return }
            try add(from: start, to: topic, &edit, limit)
        case .removing(let start):
            guard let topic = topic(known, of: &edit) else { return }
            try remove(from: start, of: topic, &edit, limit)
        case .removingOthers(let inbox):
            guard let topic = topic(known, of: &edit) else { return }
            try removeOthers(after: inbox, of: topic, &edit, limit)
        case .ended: break
        }
    }

    /// The topic's row, if this edit may still change it.
    private func topic(_ known: (id: Int64, replacement: String?)?, of edit: inout TopicEdit) -> Int64? {
        guard let replacement = edit.replacement else {
            if known == nil { edit.position = .ended }
            return known?.id
        }
        guard let known, known.replacement == replacement else {
            edit.outcome.isOvertaken = true
            edit.position = .ended
            return nil
        }
        return known.id
    }

    private func add(from start: Int, to topic: Int64, _ edit: inout TopicEdit, _ limit: Int) throws {
        let end = min(start + limit, edit.newcomers.count)
        let newcomers = edit.newcomers[start..<end]
        try open.expect(newcomers, areRecipients: true)
        let inboxes = try newcomers.map { try open.inbox(of: $0).id }
        edit.outcome.added += try open.topics.insert(inboxes: inboxes, into: topic).count
        if end < edit.newcomers.count {
            edit.position = .adding(end)
        } else {
            edit.position = edit.replacement == nil ? .removing(0) : .removingOthers(after: 0)
        }
    }

    private func remove(from start: Int, of topic: Int64, _ edit: inout TopicEdit, _ limit: Int) throws {
        let end = min(start + limit, edit.leavers.count)
        let leavers = edit.leavers[start..<end]
        try open.expect(leavers, areRecipients: false)
        let members = try leavers.compactMap { user in
            try open.knownInbox(of: user).map { TopicMember(inbox: $0.id, user: user) }
        }
        try remove(members, from: topic, &edit)
        if end < edit.leavers.count {
            edit.position = .removing(end)
        } else {
            try finish(topic, &edit)
        }
    }

    private func removeOthers(after inbox: Int64, of topic: Int64, _ edit: inout TopicEdit, _ limit: Int) throws {
        let members = try open.topics.members(of: edit.topic, after: inbox, limit: limit)
        try remove(members.filter { !edit.kept.contains($0.user) }, from: topic, &edit)
        if let last = members.last, members.count == limit {
            edit.position = .removingOthers(after: last.inbox)
        } else {
            try finish(topic, &edit)
        }
    }

    private func finish(_ topic: Int64, _ edit: inout TopicEdit) throws {
        try open.topics.deleteIfEmpty(topic: topic)
        edit.position = .ended
    }

    private func remove(_ members: [TopicMember], from topic: Int64, _ edit: inout TopicEdit) throws {
        var gone = try open.topics.delete(inboxes: members.map(\.inbox), from: topic)
        for member in members where gone.remove(member.inbox) != nil {
            edit.outcome.removed += 1
            open.tellDeparture(of: member.user, from: edit.topic)
        }
    }

    package init(open: OpenTransaction) {
        self.open = open
    }
}
