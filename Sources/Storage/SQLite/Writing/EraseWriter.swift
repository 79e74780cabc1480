import Inbox
import JSON

/// Removes everything that is kept about a person: at once what says who they are, and the many rows of their inbox a
/// step at a time.
struct EraseWriter {
    let open: OpenTransaction

    /// From here on the person is unknown. Returns the inbox whose rows are left; nil for somebody who had none.
    func begin(_ user: UserID, _ report: inout ErasureReport) throws -> Int64? {
        // They may be among those whom an event is still to reach.
        try open.broadcasts.remove(user)
        guard let inbox = try open.knownInbox(of: user) else { return nil }
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
        try open.erasures.insert(inbox: inbox.id)
        try open.deleteInbox(inbox.id, of: user)
        return inbox.id
    }

    /// Removes at most `limit` rows of an inbox that is gone; false when nothing is left.
    func step(inbox: Int64, limit: Int, _ report: inout ErasureReport) throws -> Bool {
        try open.newRows.writeContents()
        let rows = try open.erasures.notifications(inbox: inbox, limit: limit)
        var uses: [Int64: Int64] = [:]
        for row in rows {
            try open.notifications.delete(inbox: inbox, id: row.id)
            open.newRows.addUses(-1, ofContent: row.contentID)
            uses[row.contentID, default: 0] += 1
        }
        for (content, count) in uses where try open.erasures.uses(ofContent: content) <= count { report.contents += 1 }
        report.notifications += rows.count
        if rows.count == limit { return true }
        let changes = try open.erasures.deleteChanges(inbox: inbox, limit: limit)
        report.changes += changes
        if changes == limit { return true }
        let trailEntries = try open.trailTables.remove(inbox: inbox, limit: limit)
        report.trailEntries += trailEntries
        if trailEntries == limit { return true }
        try open.notifications.readSpans.erase(inbox: inbox)
        try open.erasures.delete(inbox: inbox)
        return false
    }
}
