/// Ids that OneSignal refuses as a user's own id. Apps sent them for everybody who was not logged in, and a push to one
/// of them would have gone to all.
///
/// From its page "Users", "External ID", and its maintainers' list (OneSignal-Flutter-SDK, issue 775). Letter case does
/// not count.
package enum OneSignalExternalID {
    private static let ids = ["NA", "NULL", "0", "1", "-1", "all", "00000000-0000-0000-0000-000000000000"]
    private static let lowercased = Set(ids.map { $0.lowercased() })

    /// The list for a message.
    package static var restricted: String { ids.joined(separator: ", ") }

    package static func isRestricted(_ id: String) -> Bool { lowercased.contains(id.lowercased()) }
}
