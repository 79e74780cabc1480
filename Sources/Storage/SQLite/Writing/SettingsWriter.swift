import Inbox
import JSON

/// Keeps what people choose.
struct SettingsWriter {
    let open: OpenTransaction
    let now: Timestamp

    func apply(_ change: SettingsChange, for user: UserID) throws -> SettingsOutcome {
        var inbox = try open.inbox(of: user)
        var settings = inbox.person?.settings ?? UserSettings()
        do throws(PreferenceProblem) {
            guard try settings.apply(change, at: now) else { return .settled(settings) }
        } catch {
            return .refused(error)
        }
        try open.settings.write(settings, inbox: inbox.id)
        inbox.person =
            inbox.person?.with(settings) ?? Person(settings: settings, profile: UserProfile(), device: Reader())
        try open.keep(inbox, of: user)
        try PushWriter(open: open).replan(inbox, at: now)
        open.tell(settings: settings.json.encoded, to: user)
        return .settled(settings)
    }
}
