package import Inbox

/// What a node asks the others that have sessions of a person.
package enum NodeQuestion: Sendable, Hashable {
    /// Which sessions are there?
    case sessions(of: UserID)
    /// Close the person's sessions: how many were there?
    case disconnect(UserID)

    /// The person.
    package var user: UserID {
        switch self {
        case .sessions(let user), .disconnect(let user): user
        }
    }
}

extension NodeQuestion {
    /// The form in which it travels between nodes.
    package var text: String {
        switch self {
        case .sessions(let user): "s" + user.key
        case .disconnect(let user): "d" + user.key
        }
    }

    /// Nil for a text that ``text`` has not written.
    package init?(_ text: String) {
        // Scalar by scalar: a name may begin with a mark that joins what is before it.
        guard let user = UserID(key: String(text.unicodeScalars.dropFirst())) else { return nil }
        switch text.unicodeScalars.first {
        case "s": self = .sessions(of: user)
        case "d": self = .disconnect(user)
        default: return nil
        }
    }
}
