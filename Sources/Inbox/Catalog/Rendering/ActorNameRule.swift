import JSON

/// The actor's name that `{{actor}}` prints; other names stand in for a missing one.
enum ActorNameRule: String, Sendable, Hashable, CaseIterable {
    case firstName, username

    private static let firstNameFirst = ["firstName", "username", "name", "id"]
    private static let usernameFirst = ["username", "firstName", "name", "id"]

    func name(of actor: JSONObject) -> String? {
        for key in self == .firstName ? Self.firstNameFirst : Self.usernameFirst {
            // An invisible name does not count: the text would begin with a blank.
            if case .string(let name) = actor[key], name.isVisible { return name }
        }
        return nil
    }
}
