import Inbox
package import Push
import Store

/// Folds: pushes that leave as one.
extension PushLeasing {
    package static func part(_ row: PushJobRow) -> FoldPart {
        FoldPart(
            notification: row.place.notification, position: row.place.position, expiry: row.expiry,
            failures: row.failures, collapse: row.collapse, isShown: row.isShown, shownAs: row.shownAs)
    }

    /// The parts that leave as one with this job: at the first lease all that are due, later those that remain. Each
    /// time, only the parts that their owner wants.
    ///
    /// A digest stands for pushes of many kinds and replaces none of them. A held push that is on the screen leaves
    /// alone: only its own id can replace it there.
    package func fold(_ key: String, _ record: PushJobRecord) throws -> [FoldPart] {
        let row = record.row
        let (isHeld, device) = (PushWriter.isHeldKey(key), row.place.device)
        let parts =
            if let fold = row.fold {
                try open.pushFolds.parts(device: device, key: key, fold: fold)
            } else if isHeld, row.isShown {
                [Self.part(row)]
            } else {
                try open.pushFolds.foldable(device: device, provider, key: key, at: now, withShown: !isHeld)
            }
        return try wanted(parts.filter { $0.expiry > now }, record)
    }

    /// The fold's message, in which the newest part speaks for all. Parts and collapse id are written down before the
    /// first lease, so that another try or another process makes the same fold.
    package func folded(_ parts: [FoldPart], _ record: PushJobRecord) throws -> PushMessage? {
        guard let first = parts.first, let last = parts.last else { return nil }
        let (row, device) = (record.row, record.place.device)
        let isHeld = row.foldKey.map(PushWriter.isHeldKey) ?? false
        var newest = record
        if last.notification != record.place.notification {
            let place = PushTurns.Place(position: last.position, device: device, notification: last.notification)
            guard let found = try open.pushJobs.row(place) else {
                throw DamagedRow(table: "push_job", key: "\(place.position.rawValue)")
            }
            newest = PushJobRecord(found, record.device, record.inbox)
            try findContents(of: [newest])
        }
        guard var message = try message(last.notification, newest, collapse: row.collapse) else { return nil }
        let shown = parts.count > 1 ? try shown(by: parts, record) : []
        if isHeld, parts.count > 1 { try setWords(of: &message, for: shown) }
        if row.fold == nil {
            // A single part keeps the id under which an earlier push of it may be on the screen.
            if parts.count > 1 {
                message.collapseID = collapse(of: parts, message, record, rev: shown.first.flatMap(\.?.rev) ?? 1)
            }
            for part in parts {
                try open.pushFolds.pin(
                    PushTurns.Place(position: part.position, device: device, notification: part.notification),
                    to: first.notification, collapse: message.collapseID,
                    shownAs: part.place(inbox: record.device.inbox))
            }
        }
        message.count = parts.count
        message.isGrowth = parts.allSatisfy(\.isShown)
        if parts.count > 1, !message.isDigest, message.shared?.content.summary?.isOfPeople == true {
            message.people = try people(parts, inbox: record.device.inbox)
        }
        if let shared = message.shared {
            message.group =
                message.isDigest ? nil : try group(shared, with: parts.map(\.notification), on: record.device)
        }
        message.expiry = parts.map(\.expiry).max() ?? row.expiry
        return message
    }

    /// Held pushes of one type and group read as the type's summary, or else as the group's line. All others, and those
    /// that have neither, read as the digest of all types.
    private func setWords(of message: inout PushMessage, for shown: [(content: Int64, rev: Int64)?]) throws {
        let contents = try shown.compactMap { try $0.map { try open.content($0.content) } }
        guard let newest = contents.last, let push = newest.sharedPush?.content else { return }
        let isOfOneKind = contents.allSatisfy { content in
            content.type == newest.type
                && content.sharedPush?.content.group.map { ExactText($0) } == push.group.map { ExactText($0) }
        }
        message.isGroupLine = isOfOneKind && push.summary == nil && push.group != nil && push.groupText != nil
        message.isDigest = !isOfOneKind || (push.summary == nil && !message.isGroupLine)
    }

    /// The number of people whose deeds the parts tell of. Each part without an actor counts as one more.
    private func people(_ parts: [FoldPart], inbox: Int64) throws -> Int {
        var people: Set<ExactText> = []
        var others = 0
        for part in parts {
            guard let content = try open.notifications.content(inbox: inbox, id: part.notification) else { continue }
            if let actor = try open.contents.source(ofContent: content)?.actor {
                people.insert(ExactText(actor))
            } else {
                others += 1
            }
        }
        return people.count + others
    }

    /// The collapse id with which several parts leave for the first time. If one is on the screen, the fold takes its
    /// id and place. Others on the screen are withdrawn when the fold has come.
    /// - Parameter rev: the first part's.
    private func collapse(
        of parts: [FoldPart], _ message: PushMessage, _ record: PushJobRecord, rev: Int64
    ) -> String {
        let inbox = record.device.inbox
        let shown = parts.filter(\.isShown)
        if let replaced = shown.first(where: { $0.shownAs == nil }) ?? shown.first {
            return replaced.leavesAs(inbox: inbox)
        }
        let keys = Set(parts.map { $0.collapse.map { ExactText($0) } })
        // A push that replaces one part would otherwise replace the whole fold.
        if !message.isDigest, keys.count == 1, let key = parts[0].collapse { return key }
        let id = NotificationID(inbox: inbox, sequence: parts[0].notification)
        // Where nothing can be withdrawn, the first part's next push must not replace the others.
        return record.device.device.provider.takesSilentPushes ? id.text : CollapseID.fold(of: id, rev: rev)
    }
}
