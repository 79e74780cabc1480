package import Inbox

/// The last changes of each inbox, by which clients resume.
package protocol ChangeRows: AnyObject {
    func append(_ change: LoggedChange, _ stamp: ChangeStamp, inbox: Int64) throws
    /// Drops what nobody can ask for any more; to be called at each `seq`.
    /// - Parameter head: the inbox's `seq`.
    func trim(inbox: Int64, head: Int64) throws
    /// Inserts a row in place of a removed notification's, unless no client can ask for it any more.
    /// - Parameter head: the inbox's `seq`.
    func bury(_ record: NotificationRecord, inbox: Int64, head: Int64) throws
}
