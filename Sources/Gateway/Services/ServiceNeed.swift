/// Settings of a push service that need each other: all of them are set, or none.
struct ServiceNeed: Sendable {
    /// The prefix of their paths, `push.apns`.
    let group: String
    /// For a message: "APNs needs …".
    let text: String
    /// Their names, and whether each is missing.
    let keys: [(name: String, isMissing: @Sendable (Settings.Push) -> Bool)]
}
