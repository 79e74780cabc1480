import JSON

/// Which of an actor's names `{{actor}}` prints; the other names stand in where it is missing.
enum ActorNameRule: String, Sendable, Hashable, CaseIterable {
    case firstName, username

    private static let firstNameFirst = ["firstName", "username", "name", "id"]
    private static let usernameFirst = ["username", "firstName", "name", "id"]

    func name(of actor: JSONObject) -> String? {
        for key in self == .firstName ? Self.firstNameFirst : Self.usernameFirst {
            // An empty name is none: the text would begin with a blank.
            if case .string(let name) = actor[key], !name.isEmpty { return name }
        }
        return nil
    }
}
