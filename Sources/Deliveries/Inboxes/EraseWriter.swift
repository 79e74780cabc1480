package import Inbox
import JSON
package import Store

/// Removes everything stored about a person. Identifying data goes at once, the many rows of the inbox step by step.
package struct EraseWriter {
    package let open: OpenTransaction

    /// Makes the person unknown. Returns the inbox whose rows are left; nil if there was none.
    package func begin(_ user: UserID, _ report: inout ErasureReport) throws -> Int64? {
        // An event may still be on its way to the person.
        try open.broadcasts.remove(user)
        let wasRevoked = try open.rows.revocations.remove(user)
        guard let inbox = try open.knownInbox(of: user) else {
            if wasRevoked { open.tellErasure(of: user) }
            return nil
        }
        report.hadInbox = true
        report.hadProfile = inbox.person.map { !$0.profile.json.isEmpty } ?? false
        report.hadSettings = inbox.person.map { !$0.settings.isUsual } ?? false
        for device in try open.devices.records(inbox: inbox.id) {
            report.pushes += try DeviceWriter(open: open).forget(device)
            report.devices += 1
        }
        for topic in try open.topics.topics(ofInbox: inbox.id) {
            _ = try open.topics.delete(inbox: inbox.id, from: topic.id)
            try open.topics.deleteIfEmpty(topic: topic.id)
            open.tellDeparture(of: user, from: topic.name)
            report.topics += 1
        }
        report.feedMarks = try open.feedMarks.remove(inbox: inbox.id)
        try open.erasures.deletePaces(inbox: inbox.id)
        try open.rows.webhooks.remove(inbox: inbox.id)
        try open.rows.questions.remove(inbox: inbox.id)
        try open.erasures.insert(inbox: inbox.id)
        try open.deleteInbox(inbox.id, of: user)
        return inbox.id
    }

    /// Removes at most `limit` rows of a deleted inbox; false when nothing is left.
    package func step(inbox: Int64, limit: Int, _ report: inout ErasureReport) throws -> Bool {
        let rows = try open.erasures.notifications(inbox: inbox, limit: limit)
        let uses = Dictionary(grouping: rows, by: \.contentID).mapValues { Int64($0.count) }
        for (content, count) in uses where try open.erasures.uses(ofContent: content) <= count { report.contents += 1 }
        try open.erasures.delete(rows, inbox: inbox)
        for (content, count) in uses { open.contents.addUses(-count, ofContent: content) }
        report.notifications += rows.count
        if rows.count == limit { return true }
        let changes = try open.erasures.deleteChanges(inbox: inbox, limit: limit)
        report.changes += changes
        if changes == limit { return true }
        let trailEntries = try open.trailRows.remove(inbox: inbox, limit: limit)
        report.trailEntries += trailEntries
        if trailEntries == limit { return true }
        try open.erasures.delete(inbox: inbox)
        return false
    }

    package init(open: OpenTransaction) {
        self.open = open
    }
}
