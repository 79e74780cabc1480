import Inbox
import Push

/// Pushes that leave as one.
extension PushLeasing {
    static func part(_ row: PushJobRow) -> PushFoldTable.Part {
        PushFoldTable.Part(
            notification: row.place.notification, position: row.place.position, expiry: row.expiry,
            failures: row.failures, collapse: row.collapse, isShown: row.isShown, shownAs: row.shownAs)
    }

    /// What leaves as one with this job: at the first lease all that is due, later what is left of that; each time only
    /// what is wanted.
    ///
    /// A digest stands for pushes of many kinds and takes no place of one of them: what is on the screen leaves alone
    /// there, under the id under which alone it can be replaced.
    func fold(_ key: String, _ record: PushJobRecord) throws -> [PushFoldTable.Part] {
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

    /// The newest part speaks for all. Before the fold is handed out for the first time its parts and its collapse id
    /// are written down, so that neither another try nor another process makes something else of it.
    func folded(_ parts: [PushFoldTable.Part], _ record: PushJobRecord) throws -> PushMessage? {
        guard let first = parts.first, let last = parts.last else { return nil }
        let (row, device) = (record.row, record.place.device)
        let isHeld = row.foldKey.map(PushWriter.isHeldKey) ?? false
        var newest = record
        if last.notification != record.place.notification {
            let place = PushTurns.Place(position: last.position, device: device, notification: last.notification)
            guard let found = try open.pushJobs.row(place) else { throw DamagedRow(table: "push_job") }
            newest = PushJobRecord(found, record.device, record.inbox)
            try findContents(of: [newest])
        }
        guard var message = try message(last.notification, newest, collapse: row.collapse) else { return nil }
        let shown = parts.count > 1 ? try shown(by: parts, record) : []
        if isHeld, parts.count > 1 { try setWords(of: &message, for: shown) }
        if row.fold == nil {
            // One alone keeps the id under which an earlier push of it may be on the screen.
            if parts.count > 1 {
                message.collapseID = collapse(of: parts, message, record, rev: shown.first.flatMap(\.?.rev) ?? 1)
            }
            // Not after the push has left under that id.
            open.promise()
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

    /// What was held back reads as its type's summary, or its group's line, if all is of one type and group; else, and
    /// if that type has neither, as the digest of all types.
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

    /// How many people's doing these tell of; what nobody has done counts like one more.
    private func people(_ parts: [PushFoldTable.Part], inbox: Int64) throws -> Int {
        // Of notifications that this very transaction has made, too.
        try open.newRows.writeContents()
        var people: Set<ExactText> = []
        var others = 0
        for part in parts {
            guard let content = try open.notifications.content(inbox: inbox, id: part.notification) else { continue }
            if let actor = try open.trailTables.byActor.source(ofContent: content).actor {
                people.insert(ExactText(actor))
            } else {
                others += 1
            }
        }
        return people.count + others
    }

    /// The collapse id with which several leave for the first time: that of what is on the screen, if anything of them
    /// is, so that they take its place; what else is there is withdrawn when they have come.
    /// - Parameter rev: of the first one's notification.
    private func collapse(
        of parts: [PushFoldTable.Part], _ message: PushMessage, _ record: PushJobRecord, rev: Int64
    ) -> String {
        let inbox = record.device.inbox
        let shown = parts.filter(\.isShown)
        if let replaced = shown.first(where: { $0.shownAs == nil }) ?? shown.first {
            return replaced.leavesAs(inbox: inbox)
        }
        let keys = Set(parts.map { $0.collapse.map { ExactText($0) } })
        // What replaces one of them would take the others along.
        if !message.isDigest, keys.count == 1, let key = parts[0].collapse { return key }
        let id = NotificationID(inbox: inbox, sequence: parts[0].notification)
        // What a browser shows is not known, so that the first one's next push cannot make way for the others.
        return record.device.device.provider == .webpush ? CollapseID.fold(of: id, rev: rev) : id.text
    }
}
