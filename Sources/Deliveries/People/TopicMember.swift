package import Inbox

/// One member; members are ordered by inbox.
package struct TopicMember {
    package let inbox: Int64
    package let user: UserID

    package init(inbox: Int64, user: UserID) {
        (self.inbox, self.user) = (inbox, user)
    }
}
