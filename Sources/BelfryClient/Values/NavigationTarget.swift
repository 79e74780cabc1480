import Foundation

/// The target of a tap on a notification or a push: a `deepLink` of the catalog, or the `push.data` of its push.
///
/// A value: it may go to any actor.
public struct NavigationTarget: Sendable, Hashable {
    /// The catalog's name for the kind of screen, such as `room`.
    public let type: String
    /// The other members, such as `roomId`.
    public let members: [String: JSONValue]
    /// The notification's id, for ``Inbox/read(_:)``; nil if the push stands for none.
    public let notification: String?

    /// The text of the member with this name, such as `roomId`; nil without one.
    public subscript(_ member: String) -> String? { members[member]?.string }

    init?(_ link: JSONValue, notification: String?) {
        guard var members = link.object, let type = members.removeValue(forKey: "type")?.string else { return nil }
        self.type = type
        self.members = members
        self.notification = notification
    }

    /// The target of a push: its own `deepLink` if it has one, else the members beside Apple's and Belfry's own. Nil
    /// for a push without a `type`.
    ///
    /// - Parameter userInfo: from `UNNotificationContent`, or from the app delegate's call.
    public init?(userInfo: [AnyHashable: Any]) {
        guard let push = PushContents(userInfo: userInfo) else { return nil }
        self.init(push.members["deepLink"] ?? .object(push.members), notification: push.notification)
    }
}

/// Belfry's contents of a push.
///
/// A value: it may go to any actor.
public struct PushContents: Sendable, Hashable {
    /// The id of the notification; nil if the push stands for none, or for several.
    public let notification: String?
    /// The ids of notifications that were read or removed elsewhere: remove their pushes from the lock screen.
    public let withdrawn: [String]
    /// The buttons of the question that the push asks; empty for none. See ``Inbox/answer(_:_:)``.
    public let actions: [InboxQuestion.Action]
    /// The members of the catalog's `push.data`.
    public let members: [String: JSONValue]

    /// Nil for a push that is not Belfry's.
    ///
    /// - Parameter userInfo: from `UNNotificationContent`, or from the app delegate's call.
    public init?(userInfo: [AnyHashable: Any]) {
        let named = userInfo.compactMap { key, value in (key as? String).map { ($0, value) } }
        let object = Dictionary(named) { first, _ in first }
        // Contents that are no JSON are no push.
        guard JSONSerialization.isValidJSONObject(object),
            let data = try? JSONSerialization.data(withJSONObject: object),
            let payload = try? JSONValue(parsing: data), var members = payload.object,
            let own = members.removeValue(forKey: "belfry")
        else { return nil }
        for name in ["aps", "image"] { members.removeValue(forKey: name) }
        self.members = members
        notification = own["id"]?.string
        actions = own["actions"]?.array?.compactMap(InboxQuestion.Action.init) ?? []
        withdrawn = own["withdrawn"]?.array?.compactMap(\.string) ?? []
    }
}
