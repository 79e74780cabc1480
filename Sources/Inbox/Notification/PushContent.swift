package import JSON

/// A push before a provider's format: rendered with the notification, so that sending needs no catalog.
package struct PushContent: Sendable, Hashable {
    /// The texts of one push for several notifications.
    package struct Summary: Sendable, Hashable {
        package var title: CountedText
        package var body: CountedText

        package init(title: CountedText, body: CountedText) {
            self.title = title
            self.body = body
        }

        /// Whether one of the texts shows the number of people.
        package var isOfPeople: Bool { title.isOfPeople || body.isOfPeople }
    }

    package var title: String
    package var body: String
    /// Groups pushes on the lock screen: a thread id ("room:789").
    package var group: String?
    package var urgency: PushPolicy.Urgency
    /// The rule for the number on the app's icon; the number itself is read when the push is sent.
    package var badge: BadgeRule
    /// The app's own members beside the provider's: `type`, `roomId`, … Values are strings, numbers or booleans.
    package var data: JSONObject
    /// The app whose devices get the push; empty for all.
    package var app: String
    /// The name of a sound, `default` for the system's; nil for none.
    package var sound: String?
    /// The sound of a push that replaces an earlier one because its batch has grown; nil for none.
    package var growthSound: String?
    /// The URL of a picture.
    package var image: String?
    /// The name of the buttons that the app shows: APNs `category`, FCM `click_action`.
    package var actions: String?
    /// The actions of the question that the notification asks; empty for none.
    package var answers: [Question.Action]
    /// Pushes with the same key replace each other on the screen; if nil, only pushes of the same notification do.
    package var replaceKey: String?
    /// Lets the app change the push before it is shown (APNs `mutable-content`).
    package var isMutable: Bool
    /// Wakes the app, so that it can load news before it is opened (APNs `content-available`).
    package var wakesApp: Bool
    package var summary: Summary?
    /// The texts of one push for several types' pushes that were held back while the person was not to be disturbed.
    package var digest: Summary?
    /// The text of one line for all pushes of this group on a device: "3 new round requests".
    package var groupText: CountedText?
    /// The longest body of the ``summary``, in characters as readers count them; nil for any length. ``body`` was cut
    /// when it was rendered.
    package var bodyMaximum: Int?
    /// The terms that decide whether the push is still wanted when it leaves.
    package var terms: PushTerms

    package init(
        title: String, body: String, group: String?, urgency: PushPolicy.Urgency, badge: BadgeRule = .unread,
        data: JSONObject, app: String = "", sound: String? = "default", growthSound: String? = nil,
        image: String? = nil, actions: String? = nil, answers: [Question.Action] = [],
        replaceKey: String? = nil, isMutable: Bool = false, wakesApp: Bool = false, summary: Summary? = nil,
        digest: Summary? = nil, groupText: CountedText? = nil, bodyMaximum: Int? = nil,
        terms: PushTerms = PushTerms()
    ) {
        self.title = title
        self.body = body
        self.group = group
        self.urgency = urgency
        self.badge = badge
        self.data = data
        self.app = app
        self.sound = sound
        self.growthSound = growthSound
        self.image = image
        self.actions = actions
        self.answers = answers
        self.replaceKey = replaceKey
        self.isMutable = isMutable
        self.wakesApp = wakesApp
        self.summary = summary
        self.digest = digest
        self.groupText = groupText
        self.bodyMaximum = bodyMaximum
        self.terms = terms
    }
}
