import JSON

extension TypeReader {
    private static let activityKeys = [
        "event", "key", "type", "attributes", "state", "alert", "relevance", "staleAfter", "dismissAfter", "priority",
    ]
    /// "the system keeps the Live Activity for up to four hours" after its end (ActivityKit,
    /// `ActivityUIDismissalPolicy`).
    private static let longestDismissal = Duration.seconds(4 * 3_600)
    /// An activity runs for eight hours at most (ActivityKit, "Displaying live data with Live Activities").
    private static let longestStale = Duration.seconds(8 * 3_600)

    /// Reads `activity`: what an event of the type tells a Live Activity.
    func activity() -> ActivityTemplate? {
        guard let activity = reader.mapping("activity", known: Self.activityKeys) else { return nil }
        if let batch = reader["batch"] {
            issues.add(batch, "each event tells the activity by itself; expected no batch, or no \"activity\"")
        }
        let named = activity.required("event", expected: "start, update or end")
        let event: ActivityContent.Event? = named.flatMap { activity.choice($0) }
        let keyNode = activity.required("key", expected: "which activity of the person, like \"order-{{order.id}}\"")
        let key = keyNode.flatMap { activity.textRule($0, in: scope) }
        let stateNode = activity.required("state", expected: "the values that the activity shows")
        let state = stateNode.flatMap { MappingReader($0, known: nil, issues: issues)?.memberRules(in: scope) }
        let (alert, beginning) = (alert(of: activity), beginning(of: activity, for: event))
        let relevance = activity["relevance"].flatMap { self.relevance($0, of: activity) }
        let staleAfter = time("staleAfter", of: activity, upTo: Self.longestStale, activity.duration)
        let dismissAfter = time("dismissAfter", of: activity, upTo: Self.longestDismissal, activity.wait)
        let priority: ActivityContent.Priority = activity.choice("priority") ?? .high
        guard let event, let key, let state else { return nil }
        check(activity, for: event)
        return ActivityTemplate(
            event: event, key: key, beginning: beginning, state: state, alert: alert, relevance: relevance,
            staleAfter: staleAfter, dismissAfter: dismissAfter, priority: priority, app: defaults.push.style.app)
    }

    /// Refuses keys that the event has no use for, and asks for those that it needs.
    private func check(_ activity: MappingReader, for event: ActivityContent.Event) {
        if event == .start {
            _ = activity.required("type", expected: "the name of the app's ActivityAttributes type")
            _ = activity.required("alert", expected: "the words that a start is announced with")
        } else {
            for key in ["type", "attributes"] {
                if let node = activity[key] {
                    issues.add(node, "only a start has it; expected no such key, or \"event: start\"")
                }
            }
        }
        if event != .end, let node = activity["dismissAfter"] {
            issues.add(node, "only an end has it; expected no such key, or \"event: end\"")
        }
    }

    private func beginning(
        of activity: MappingReader, for event: ActivityContent.Event?
    ) -> ActivityTemplate.Beginning? {
        let attributes = activity.mapping("attributes", known: nil)?.memberRules(in: scope) ?? []
        guard event == .start, let node = activity["type"], let type = activity.plainText(node) else { return nil }
        if type.utf8.count > ActivityContent.maximumTypeBytes {
            issues.add(node, "expected at most \(ActivityContent.maximumTypeBytes) bytes")
        }
        return ActivityTemplate.Beginning(type: type, attributes: attributes)
    }

    private func alert(of activity: MappingReader) -> ActivityTemplate.Alert? {
        guard let alert = activity.mapping("alert", known: ["title", "body", "sound"]) else { return nil }
        let title = alert.required("title", expected: "the alert's title").flatMap { alert.textRule($0, in: scope) }
        let body = alert.required("body", expected: "the alert's text").flatMap { alert.textRule($0, in: scope) }
        let sound = alert["sound"].flatMap(alert.plainText)
        guard let title, let body else { return nil }
        return ActivityTemplate.Alert(title: title, body: body, sound: sound)
    }

    private func relevance(_ node: SourceNode, of activity: MappingReader) -> ValueRule? {
        guard let rule = activity.rule(node, in: scope) else { return nil }
        switch rule {
        case .literal(let value) where value.anyDouble != nil: return rule
        case .value: return rule
        case .literal, .text, .object:
            issues.add(node, "expected a number, or {value: …} with the path of one")
            return nil
        }
    }

    private func time(
        _ key: String, of activity: MappingReader, upTo longest: Duration, _ read: (SourceNode) -> Duration?
    ) -> Duration? {
        guard let node = activity[key], let time = read(node) else { return nil }
        if time > longest { issues.add(node, "expected at most \(longest.components.seconds / 3_600)h") }
        return time
    }
}
