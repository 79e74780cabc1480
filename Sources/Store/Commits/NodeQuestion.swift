package import Inbox

/// What a node asks the others that have sessions of a person.
package enum NodeQuestion: Sendable, Hashable {
    /// Which sessions are there?
    case sessions(of: UserID)
    /// Close the person's sessions: how many were there?
    case disconnect(UserID)
    /// Close the sessions by tokens that no longer count: how many were there?
    case revoke(Revocation)

    /// The person.
    package var user: UserID {
        switch self {
        case .sessions(let user), .disconnect(let user): user
        case .revoke(let revocation): revocation.user
        }
    }
}

extension NodeQuestion {
    /// The form in which it travels between nodes.
    package var text: String {
        switch self {
        case .sessions(let user): "s" + user.key
        case .disconnect(let user): "d" + user.key
        case .revoke(let revocation): "r\(revocation.issuedBefore.milliseconds) " + revocation.user.key
        }
    }

    /// Nil for a text that ``text`` has not written.
    package init?(_ text: String) {
        // Scalar by scalar: a name may begin with a mark that joins what is before it.
        let rest = text.unicodeScalars.dropFirst()
        switch text.unicodeScalars.first {
        case "s":
            guard let user = UserID(key: String(rest)) else { return nil }
            self = .sessions(of: user)
        case "d":
            guard let user = UserID(key: String(rest)) else { return nil }
            self = .disconnect(user)
        case "r":
            let parts = rest.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let time = Int64(String(parts[0])), let user = UserID(key: String(parts[1]))
            else { return nil }
            self = .revoke(Revocation(user: user, issuedBefore: Timestamp(milliseconds: time)))
        default: return nil
        }
    }
}
