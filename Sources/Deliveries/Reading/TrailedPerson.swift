import Inbox

/// A person in an event's row.
struct TrailedPerson {
    let verdict: TrailVerdicts.Verdict
    /// Nil for a stranger.
    let inbox: Int64?
    let notification: Int64?
    /// A person without an inbox.
    let stranger: UserID?

    /// All people, in the order of the row.
    static func people(of verdicts: TrailVerdicts) -> [TrailedPerson] {
        verdicts.groups.flatMap { group in
            let people = (group.recipients.recipients ?? []).map {
                TrailedPerson(verdict: group.verdict, inbox: $0.inbox, notification: $0.notification, stranger: nil)
            }
            return people
                + group.strangers.map {
                    TrailedPerson(verdict: group.verdict, inbox: nil, notification: nil, stranger: $0)
                }
        }
    }
}
