package import Inbox
import JSON
package import Store

/// Stores people's settings.
package struct SettingsWriter {
    package let open: OpenTransaction
    package let now: Timestamp

    package func apply(_ change: SettingsChange, for user: UserID) throws -> SettingsOutcome {
        // A refused change must not create an inbox.
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
        try open.write(settings, inbox: inbox.id)
        inbox.person =
            inbox.person?.with(settings) ?? Person(settings: settings, profile: UserProfile(), device: Reader())
        try open.keep(inbox, of: user)
        try PushWriter(open: open).replan(inbox, at: now)
        open.tell(settings: settings.json.encoded, to: user)
        return .settled(settings)
    }

    package init(open: OpenTransaction, now: Timestamp) {
        (self.open, self.now) = (open, now)
    }
}
