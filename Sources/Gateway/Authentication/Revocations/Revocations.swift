package import Inbox
package import Store

/// Whose tokens no longer count, of those that are valid by themselves.
///
/// Tokens tell the second in which they were issued, and no more. So a revocation takes the whole second of the call: of
/// two tokens of that second, nobody can tell which one is older. A token of the next second counts.
package struct Revocations: Sendable {
    /// Tokens that were issued earlier are refused.
    private var moments: [UserID: Timestamp] = [:]

    package init() {}

    package var isEmpty: Bool { moments.isEmpty }

    /// A revocation of all tokens that were issued until `now`.
    package static func all(of user: UserID, until now: Timestamp) -> Revocation {
        let second = now.milliseconds / 1_000
        return Revocation(user: user, issuedBefore: Timestamp(milliseconds: (second + 1) * 1_000))
    }

    /// Takes in a revocation; an earlier one than the known one changes nothing.
    package mutating func add(_ revocation: Revocation) {
        moments[revocation.user] = max(moments[revocation.user] ?? revocation.issuedBefore, revocation.issuedBefore)
    }

    /// To be called for an erased person.
    package mutating func forget(_ user: UserID) { moments[user] = nil }

    /// Tokens of the person that were issued earlier are refused; nil if none was revoked.
    package func moment(of user: UserID) -> Timestamp? { moments[user] }

    /// Whether a person's token was revoked that was issued then.
    package func refuse(_ issued: IssueTime, of user: UserID) -> Bool {
        moments[user].map(issued.isBefore) ?? false
    }
}
