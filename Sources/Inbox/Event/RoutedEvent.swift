/// An event whose recipients are known: what the store turns into rows.
package struct RoutedEvent: Sendable {
    /// All recipients that get the same type, and so the same content.
    package struct Group: Sendable {
        package let type: NotificationType
        package let users: [UserID]

        package init(type: NotificationType, users: [UserID]) {
            self.type = type
            self.users = users
        }
    }

    package let event: Event
    package let groups: [Group]
    /// How many named recipients get nothing: the actor, and those whom no route covers.
    package let suppressed: Int
    /// What the publisher should know: a recipient list that no route names.
    package let warnings: [String]

    package init(event: Event, groups: [Group], suppressed: Int, warnings: [String]) {
        self.event = event
        self.groups = groups
        self.suppressed = suppressed
        self.warnings = warnings
    }
}
