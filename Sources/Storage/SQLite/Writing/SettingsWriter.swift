import Inbox
import JSON

/// Keeps what people choose.
struct SettingsWriter {
    let open: OpenTransaction
    let now: Timestamp

    func apply(_ change: SettingsChange, for user: UserID) throws -> SettingsOutcome {
        // What is refused makes nobody known.
        let known = try open.knownInbox(of: user)
        var settings = known?.person?.settings ?? UserSettings()
        let isDifferent: Bool
        do throws(PreferenceProblem) {
            isDifferent = try settings.apply(change, at: now)
        } catch {
            return .refused(error)
        }
        var inbox = try known ?? open.inbox(of: user)
        guard isDifferent else { return .settled(settings) }
        try open.settings.write(settings, inbox: inbox.id)
        inbox.person =
            inbox.person?.with(settings) ?? Person(settings: settings, profile: UserProfile(), device: Reader())
        try open.keep(inbox, of: user)
        try PushWriter(open: open).replan(inbox, at: now)
        open.tell(settings: settings.json.encoded, to: user)
        return .settled(settings)
    }
}
