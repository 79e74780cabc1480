package import Inbox
package import JSON

/// The view of one phone: the number on the app's icon, and its notifications, newest first.
///
/// Follows iOS ("Generating a remote notification"; `UNNotificationContent.threadIdentifier`), which Android and
/// browsers resemble. A push with the id of a shown one replaces it and moves to the front. Pushes of one thread are
/// stacked.
package struct LockScreen: Sendable, Hashable {
    package struct Card: Sendable, Hashable {
        package let title: String
        package let body: String
        /// Nil without a thread.
        package let thread: String?
        package let collapseID: String?
        package let data: JSONObject
        /// The time of the push that it shows now.
        package let at: Timestamp
        /// The number of pushes it has shown, each in place of the one before.
        package let pushes: Int
    }

    /// A Live Activity as its last push left it.
    package struct Activity: Sendable, Hashable {
        /// The collapse id of its pushes.
        package let id: String
        package let shown: ShownActivity
        /// The number of pushes that it has shown.
        package let pushes: Int
    }

    /// The cards of one stack.
    package struct Stack: Sendable, Hashable {
        /// Nil for the stack of cards without a thread.
        package let thread: String?
        package let cards: [Card]
    }

    private let maximumCards: Int
    /// Nil until a push sets it.
    package private(set) var badge: Int64?
    /// Newest first.
    package private(set) var cards: [Card] = []
    /// In the order of their first pushes; ended ones stay until others take their place.
    package private(set) var activities: [Activity] = []

    /// - Parameter maximumCards: the most cards; older ones are removed.
    package init(maximumCards: Int = 100) { self.maximumCards = maximumCards }

    /// Shows a push. Withdrawn cards are removed first, because the push may bring one of them again.
    package mutating func apply(_ push: ShownPush, at now: Timestamp) {
        if let badge = push.badge { self.badge = badge }
        if let activity = push.activity { return apply(activity, id: push.collapseID ?? "") }
        cards.removeAll { $0.collapseID.map(push.withdrawn.contains) ?? false }
        guard push.isVisible else { return }
        let replaced = push.collapseID.flatMap { id in cards.firstIndex { $0.collapseID == id } }
        let pushes = replaced.map { cards.remove(at: $0).pushes } ?? 0
        let card = Card(
            title: push.title ?? "", body: push.body ?? "", thread: push.thread, collapseID: push.collapseID,
            data: push.data, at: now, pushes: pushes + 1)
        cards.insert(card, at: 0)
        if cards.count > maximumCards { cards.removeLast() }
    }

    /// A push with an earlier timestamp than the shown one changes nothing.
    private mutating func apply(_ shown: ShownActivity, id: String) {
        guard let index = activities.firstIndex(where: { $0.id == id }) else {
            activities.append(Activity(id: id, shown: shown, pushes: 1))
            if activities.count > maximumCards { activities.removeFirst() }
            return
        }
        guard shown.timestamp >= activities[index].shown.timestamp else { return }
        activities[index] = Activity(id: id, shown: shown, pushes: activities[index].pushes + 1)
    }

    /// The cards by thread, the stack with the newest card first.
    package var stacks: [Stack] {
        var order: [String?] = []
        var byThread: [String?: [Card]] = [:]
        for card in cards {
            if byThread[card.thread] == nil { order.append(card.thread) }
            byThread[card.thread, default: []].append(card)
        }
        return order.map { Stack(thread: $0, cards: byThread[$0] ?? []) }
    }
}

extension ShownPush {
    /// Whether the push has a text. Others set the badge, withdraw notifications, or wake the app.
    package var isVisible: Bool { !(title ?? "").isEmpty || !(body ?? "").isEmpty }
}
