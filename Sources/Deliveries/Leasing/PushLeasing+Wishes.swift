import Inbox
import Push

/// Checks people's wishes when a push is to leave: it may have waited for hours, and settings change.
extension PushLeasing {
    /// Gives up a push that its owner no longer wants, and returns whether it did.
    package func dropUnwanted(_ record: PushJobRecord) throws -> Bool {
        guard let notification = record.notification,
            let drop = try refusal(ofContent: notification.content, by: record.inbox.person)
        else { return false }
        try giveUp(record.place)
        note(.dropped(drop), of: record.place, record)
        return true
    }

    private func refusal(ofContent row: Int64, by person: Person?) throws -> TrailStep.Drop? {
        let content = try open.content(row)
        // Most people have chosen nothing, and then most types are wanted.
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

    /// The parts that their owner wants. Others are given up at their own turn.
    package func wanted(_ parts: [FoldPart], _ record: PushJobRecord) throws -> [FoldPart] {
        guard parts.count > 1 else { return parts }
        let shown = try shown(by: parts, record)
        return try zip(parts, shown).filter { _, shown in
            try shown.map { try refusal(ofContent: $0.content, by: record.inbox.person) == nil } ?? true
        }.map(\.0)
    }

    /// The content's row and the `rev` that each part's notification shows; nil for a deleted one.
    package func shown(
        by parts: [FoldPart], _ record: PushJobRecord
    ) throws -> [(content: Int64, rev: Int64)?] {
        try open.notifications.contents(parts.map { (record.device.inbox, $0.notification) })
    }
}
