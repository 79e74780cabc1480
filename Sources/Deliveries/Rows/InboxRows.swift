package import Inbox

/// Inboxes and their owners.
package protocol InboxRows: AnyObject {
    /// Nil for a person without an inbox.
    func record(of user: UserID) throws -> InboxRecord?
    /// Nil where the row is damaged or gone.
    func user(ofInbox id: Int64) throws -> UserID?
    /// Whether another node may have a session of the person.
    func isLiveElsewhere(_ user: UserID) throws -> Bool
    /// The highest number that an inbox has; 0 without any.
    func lastID() throws -> Int64
    /// About how many inboxes an app has, and no fewer.
    func count(of app: AppName) throws -> Int64
    /// The app's inboxes above `id`, up to `last`, that a broadcast does not know, in the order of their numbers. A damaged row
    /// has no user.
    func users(
        of app: AppName, after id: Int64, upTo last: Int64, unknownTo broadcast: Int64, limit: Int
    ) throws -> [(inbox: Int64, user: UserID?)]

    /// The new inbox gets a number that no other inbox has had.
    func create(for user: UserID, epoch: String) throws -> InboxRecord
    /// Writes the counts, the number of devices among them.
    func write(_ record: InboxRecord) throws
    func write(_ profile: UserProfile, inbox: Int64) throws
    func write(_ settings: UserSettings, inbox: Int64) throws
    /// Writes the locale and zone of the device that was registered last.
    func write(device: Reader, inbox: Int64) throws
    /// Deletes an inbox; its number is never given to another.
    func delete(inbox: Int64) throws
}

extension InboxRows {
    /// One process has the store.
    package func isLiveElsewhere(_ user: UserID) throws -> Bool { false }
}
