package import Inbox
package import Store

/// Reads topics.
package protocol TopicReads {
    /// At most `limit` members in the order of their inboxes; nil for a topic without members.
    ///
    /// - Parameter user: the member behind whom to begin; an unknown user begins anew.
    func page(of topic: String, after user: UserID?, limit: Int) throws -> TopicPage?
    /// The sorted names of a user's topics.
    func topics(of user: UserID) throws -> [String]
    func isMember(_ user: UserID, of topic: String) throws -> Bool
}
