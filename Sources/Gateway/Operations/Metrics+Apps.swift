import Inbox
import Store

/// Figures that are counted in all, and for each app where apps have names.
extension Metrics {
    /// Counts the inbox changes of a commit.
    func changed(_ inboxes: [Commit.InboxDelivery]) {
        changes.add(inboxes.count)
        apps?.changed(inboxes)
    }

    /// Counts events that were taken in.
    ///
    /// - Parameter app: the events'; asked for only where apps have names.
    func published(_ count: Int, in app: @autoclosure () -> AppName) {
        eventsPublished.add(count)
        apps?[app()].events.add(count)
    }

    /// Counts a session of a user that is ready, or has ended.
    func sessions(of user: UserID, by way: LiveWay, changeBy change: Int) {
        sessions.add(change)
        ways.first { $0.way == way }?.sessions.add(change)
        apps?[ofKey: user.key].sessions.add(change)
    }
}
