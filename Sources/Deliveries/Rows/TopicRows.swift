package import Inbox

/// Topics, and who is in them.
package protocol TopicRows: AnyObject {
    /// In the order of their inboxes.
    func members(of topic: String) throws -> [UserID]
    /// Those behind an inbox, at most `limit`.
    func members(of topic: String, after inbox: Int64, limit: Int) throws -> [TopicMember]
    /// Nil without a topic of that name. `replacement` names the call that replaced its members last.
    func row(of topic: String) throws -> (id: Int64, replacement: String?)?
    func topics(ofInbox inbox: Int64) throws -> [(id: Int64, name: String)]

    func create(_ topic: String) throws -> Int64
    func write(replacement: String, topic: Int64) throws
    /// Tells whether the person was no member before.
    func insert(inbox: Int64, into topic: Int64) throws -> Bool
    /// Tells whether the person was a member.
    func delete(inbox: Int64, from topic: Int64) throws -> Bool
    /// Tells which of these were no members before.
    func insert(inboxes: [Int64], into topic: Int64) throws -> Set<Int64>
    /// Tells which of these were members.
    func delete(inboxes: [Int64], from topic: Int64) throws -> Set<Int64>
    func deleteIfEmpty(topic: Int64) throws
}

extension TopicRows {
    package func insert(inboxes: [Int64], into topic: Int64) throws -> Set<Int64> {
        try Set(inboxes.filter { try insert(inbox: $0, into: topic) })
    }

    package func delete(inboxes: [Int64], from topic: Int64) throws -> Set<Int64> {
        try Set(inboxes.filter { try delete(inbox: $0, from: topic) })
    }
}
