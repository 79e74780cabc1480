package import Inbox
package import Store

/// People's profiles, settings and topics.
extension StoreEngine {
    package func write(
        _ profile: UserProfile, of user: UserID, at now: Timestamp,
        completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        write(for: user, completion) { open in try UserWriter(open: open, now: now).write(profile, of: user) }
    }

    package func isKnown(_ user: UserID, completion: @escaping @Sendable (Result<Bool, StoreError>) -> Void) {
        read(completion) { reads in try reads.users.isKnown(user) }
    }

    package func profile(
        of user: UserID, completion: @escaping @Sendable (Result<UserProfile?, StoreError>) -> Void
    ) {
        read(completion) { reads in try reads.users.profile(of: user) }
    }

    package func user(
        withEmail email: String, in app: AppName, completion: @escaping @Sendable (Result<UserID?, StoreError>) -> Void
    ) {
        read(completion) { reads in try reads.users.user(withEmail: email, in: app) }
    }

    // MARK: Tokens

    package func revoke(
        _ revocation: Revocation, completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        write(completion) { open in try open.revoke(revocation) }
    }

    package func revocations(completion: @escaping @Sendable (Result<[Revocation], StoreError>) -> Void) {
        read(completion) { reads in try reads.users.revocations() }
    }

    // MARK: Settings

    package func settings(
        of user: UserID, completion: @escaping @Sendable (Result<UserSettings, StoreError>) -> Void
    ) {
        read(completion) { reads in try reads.users.settings(of: user) }
    }

    package func facts(
        of user: UserID, completion: @escaping @Sendable (Result<PersonFacts, StoreError>) -> Void
    ) {
        read(completion) { reads in try reads.users.facts(of: user) }
    }

    package func change(
        _ change: SettingsChange, for user: UserID, at now: Timestamp,
        completion: @escaping @Sendable (Result<SettingsOutcome, StoreError>) -> Void
    ) {
        write(for: user, completion) { open in try SettingsWriter(open: open, now: now).apply(change, for: user) }
    }

    // MARK: Topics

    package func replaceMembers(
        of topic: String, with users: [UserID],
        completion: @escaping @Sendable (Result<TopicOutcome, StoreError>) -> Void
    ) {
        work(on: TopicEdit(of: topic, replacingWith: users, as: rules.makeEpoch()), completion)
    }

    package func changeMembers(
        of topic: String, adding newcomers: [UserID], removing leavers: [UserID],
        completion: @escaping @Sendable (Result<TopicOutcome, StoreError>) -> Void
    ) {
        work(on: TopicEdit(of: topic, adding: newcomers, removing: leavers), completion)
    }

    private func work(
        on edit: TopicEdit, _ completion: @escaping @Sendable (Result<TopicOutcome, StoreError>) -> Void
    ) {
        let limit = rules.membersPerStep
        let rows = max(1, min(limit, edit.newcomers.count + edit.leavers.count))
        work(rows: rows, from: edit, Self.passing(completion, \.outcome)) { open, edit in
            try TopicWriter(open: open).step(&edit, limit: limit)
            return edit.position == .ended
        }
    }

    package func members(
        of topic: String, after user: UserID?, limit: Int,
        completion: @escaping @Sendable (Result<TopicPage?, StoreError>) -> Void
    ) {
        read(completion) { reads in try reads.topics.page(of: topic, after: user, limit: max(0, limit)) }
    }

    package func topics(of user: UserID, completion: @escaping @Sendable (Result<[String], StoreError>) -> Void) {
        read(completion) { reads in try reads.topics.topics(of: user) }
    }

    package func isMember(
        _ user: UserID, of topic: String, completion: @escaping @Sendable (Result<Bool, StoreError>) -> Void
    ) {
        read(completion) { reads in try reads.topics.isMember(user, of: topic) }
    }
}
