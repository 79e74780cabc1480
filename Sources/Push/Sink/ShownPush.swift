package import JSON

/// An accepted push in the view of a phone.
package struct ShownPush: Sendable, Hashable {
    /// The address from the request, or the user's id for a push to all of a user's devices.
    package let device: String
    package let title: String?
    package let body: String?
    /// The new number on the app's icon; nil leaves it unchanged.
    package let badge: Int64?
    /// Groups pushes on the lock screen.
    package let thread: String?
    /// A later push with the same id replaces this one.
    package let collapseID: String?
    /// The app's own members.
    package let data: JSONObject
    /// The collapse ids of pushes that leave the lock screen.
    package let withdrawn: [String]
    /// Nil for a notification.
    package let activity: ShownActivity?

    package init(
        device: String, title: String?, body: String?, badge: Int64?, thread: String?, collapseID: String?,
        data: JSONObject, withdrawn: [String] = [], activity: ShownActivity? = nil
    ) {
        self.device = device
        self.title = title
        self.body = body
        self.badge = badge
        self.thread = thread
        self.collapseID = collapseID
        self.data = data
        self.withdrawn = withdrawn
        self.activity = activity
    }

    /// Reads a payload in Apple's form; an alert may be a plain string ("Generating a remote notification").
    package init(device: String, collapseID: String?, payload: JSONObject) {
        let aps = payload["aps"]?.object
        let alert = aps?["alert"]
        self.device = device
        title = alert?.object?["title"]?.string
        body = alert?.object?["body"]?.string ?? alert?.string
        badge = aps?["badge"]?.int
        thread = aps?["thread-id"]?.string
        self.collapseID = collapseID
        var data = payload
        data["aps"] = nil
        self.data = data
        withdrawn = []
        activity = nil
    }
}
