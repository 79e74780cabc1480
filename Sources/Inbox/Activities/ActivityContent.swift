package import JSON

/// What an event tells a Live Activity, before a provider's format: rendered with the notification, so that sending needs
/// no catalog. The terms are Apple's (ActivityKit, "Starting and updating Live Activities with ActivityKit push
/// notifications").
package struct ActivityContent: Sendable, Hashable {
    package enum Event: String, Sendable, Hashable, CaseIterable {
        case start, update, end
    }

    /// The urgency of the push. The system limits pushes of high priority to an app's activities on one device.
    package enum Priority: String, Sendable, Hashable, CaseIterable {
        case high, low
    }

    /// Lights up the screen, as a notification does.
    package struct Alert: Sendable, Hashable {
        package var title: String
        package var body: String
        /// The name of a sound, `default` for the system's; nil for none.
        package var sound: String?

        package init(title: String, body: String, sound: String? = nil) {
            (self.title, self.body, self.sound) = (title, body, sound)
        }
    }

    /// The constant part of an activity. Only a start has it.
    package struct Beginning: Sendable, Hashable {
        /// The name of the app's `ActivityAttributes` type.
        package var type: String
        /// The type's values; they must decode into it.
        package var attributes: JSONObject

        package init(type: String, attributes: JSONObject) { (self.type, self.attributes) = (type, attributes) }
    }

    /// The longest key, in bytes of UTF-8.
    package static let maximumKeyBytes = 128
    /// The longest name of an attributes type, in bytes of UTF-8.
    package static let maximumTypeBytes = 128

    package var event: Event
    /// Tells a person's activities apart: `order-42`.
    package var key: String
    /// Nil unless the event is a start.
    package var beginning: Beginning?
    /// The values to show; they must decode into the type's `ContentState`.
    package var state: JSONObject
    /// Always there with a start: the system shows no start without one.
    package var alert: Alert?
    /// A number; the activity with the highest one takes the Dynamic Island.
    package var relevance: JSONValue?
    /// How long after the push the state counts as current; nil without an end.
    package var staleAfter: Duration?
    /// How long after the end the activity stays on the Lock Screen; nil for the system's own rule, four hours at most.
    package var dismissAfter: Duration?
    package var priority: Priority
    /// The app whose devices show it; empty for all, as in ``PushContent/app``.
    package var app: String

    package init(
        event: Event, key: String, beginning: Beginning? = nil, state: JSONObject, alert: Alert? = nil,
        relevance: JSONValue? = nil, staleAfter: Duration? = nil, dismissAfter: Duration? = nil,
        priority: Priority = .high, app: String = ""
    ) {
        (self.event, self.key, self.beginning, self.state, self.alert) = (event, key, beginning, state, alert)
        (self.relevance, self.staleAfter, self.dismissAfter) = (relevance, staleAfter, dismissAfter)
        (self.priority, self.app) = (priority, app)
    }

    /// Whether a key may stand in requests, rows and logs: no control characters, and not too long.
    package static func isKey(_ text: String) -> Bool {
        (1...maximumKeyBytes).contains(text.utf8.count) && text.unicodeScalars.allSatisfy { $0.value >= 0x20 }
    }

    /// The same without what disturbs: for people with quiet hours or a snooze. A start keeps the words of its alert.
    package var quiet: ActivityContent {
        var content = self
        content.alert = event == .start ? alert.map { Alert(title: $0.title, body: $0.body) } : nil
        content.priority = .low
        return content
    }
}
