import Inbox
import Store

/// The counters of each app, where apps have names. All of them are made at the start: no count takes a lock or memory.
/// From any thread.
final class AppMetrics: Sendable {
    /// The most apps that are told apart: a label with more values would burden those who collect them.
    static let maximumApps = 100
    /// The label of all further apps together.
    static let others = "other"

    /// In the order in which they are shown: by name, the further apps last.
    let all: [AppCounters]
    /// By the name's text, which a key has without a copy.
    private let byName: [Substring: AppCounters]
    /// Of further apps, and of those that the settings name no more but that still have people in the store.
    private let rest = AppCounters(name: others)

    /// Nil where no app has a name.
    ///
    /// - Parameter named: the apps with a name, sorted.
    init?(named: [AppName]) {
        guard !named.isEmpty else { return nil }
        // An app may be called as the others are; two series of one name would be none.
        let shown = ([.unnamed] + named).prefix(Self.maximumApps).filter { $0.text != Self.others }
        let counters = shown.map { AppCounters(name: $0.text) }
        byName = Dictionary(uniqueKeysWithValues: counters.map { (Substring($0.name), $0) })
        all = counters + [rest]
    }

    subscript(app: AppName) -> AppCounters { byName[Substring(app.text)] ?? rest }

    /// - Parameter key: of a person, a topic, a feed or a publisher.
    subscript(ofKey key: String) -> AppCounters { byName[AppName.text(ofKey: key)] ?? rest }

    /// Counts the changes of a commit.
    func changed(_ inboxes: [Commit.InboxDelivery]) {
        // By index: a copy of a delivery would count references to all its parts.
        for place in inboxes.indices { self[ofKey: inboxes[place].user.key].changes.add() }
    }
}
