import Inbox
import Push

/// What people want at the moment when a push is to leave: it may have waited for hours, and settings change.
extension PushLeasing {
    /// Gives a push up that its owner does not want any more; tells whether that is so.
    func dropUnwanted(_ record: PushJobRecord) throws -> Bool {
        guard let notification = record.notification,
            let drop = try refusal(ofContent: notification.content, by: record.inbox.person)
        else { return false }
        try giveUp(record.place)
        note(.dropped(drop), of: record.place, record)
        return true
    }

    private func refusal(ofContent row: Int64, by person: Person?) throws -> TrailStep.Drop? {
        let content = try open.content(row)
        // Most people have chosen nothing, and most types are wanted then.
        guard let shared = content.sharedPush, person?.settings.mayRefuse ?? false || !shared.isWantedByDefault
        else { return nil }
        let settings = person?.settings ?? UserSettings()
        let terms = shared.content.terms
        switch settings.refusal(of: content.type, under: terms, at: now) {
        case nil: return nil
        case .muted(let subject)?: return .muted(subject)
        case .preferenceOff?:
            return .preferenceOff(settings.wishes(of: content.type, in: terms.category, terms.preferences).push.by)
        }
    }

    /// Those of a fold's parts that their owner wants. The others are given up when their own turn comes.
    func wanted(_ parts: [PushFoldTable.Part], _ record: PushJobRecord) throws -> [PushFoldTable.Part] {
        guard parts.count > 1 else { return parts }
        let shown = try shown(by: parts, record)
        return try zip(parts, shown).filter { _, shown in
            try shown.map { try refusal(ofContent: $0.content, by: record.inbox.person) == nil } ?? true
        }.map(\.0)
    }

    /// What the notifications of these parts show, in their order: the content's row and `rev`; nil for one that is
    /// gone.
    func shown(
        by parts: [PushFoldTable.Part], _ record: PushJobRecord
    ) throws -> [(content: Int64, rev: Int64)?] {
        var shown: [(content: Int64, rev: Int64)?] = []
        var rest = parts[...]
        while !rest.isEmpty {
            let some = rest.prefix(ShownContents.mostNotifications)
            shown += try open.contentsShown(by: some.map { (record.device.inbox, $0.notification) })
            rest = rest.dropFirst(some.count)
        }
        return shown
    }
}
