import JSON

/// Which of an actor's names `{{actor}}` prints; the other names stand in where it is missing.
enum ActorNameRule: String, Sendable, Hashable, CaseIterable {
    case firstName, username

    func name(of actor: JSONObject) -> String? {
        let order = self == .firstName ? ["firstName", "username"] : ["username", "firstName"]
        for key in order + ["name", "id"] {
            // An empty name is none: the text would begin with a blank.
            if let name = actor[key]?.string, !name.isEmpty { return name }
        }
        return nil
    }
}
