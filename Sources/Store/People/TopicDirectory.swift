package import Inbox

/// Named sets of users that backends keep: events can address them, and feeds can be restricted to them. Calls and
/// completions as in ``Store``. Large sets are written in steps, so that other writes go on; repeating a call is safe.
package protocol TopicDirectory: AnyObject, Sendable {
    /// Makes these users the only members.
    func replaceMembers(
        of topic: String, with users: [UserID],
        completion: @escaping @Sendable (Result<TopicOutcome, StoreError>) -> Void)

    /// Adds and then removes members.
    func changeMembers(
        of topic: String, adding newcomers: [UserID], removing leavers: [UserID],
        completion: @escaping @Sendable (Result<TopicOutcome, StoreError>) -> Void)

    /// At most `limit` members after one of them; nil for a topic without members.
    func members(
        of topic: String, after user: UserID?, limit: Int,
        completion: @escaping @Sendable (Result<TopicPage?, StoreError>) -> Void)

    /// The sorted names of a user's topics.
    func topics(of user: UserID, completion: @escaping @Sendable (Result<[String], StoreError>) -> Void)

    func isMember(
        _ user: UserID, of topic: String, completion: @escaping @Sendable (Result<Bool, StoreError>) -> Void)
}
