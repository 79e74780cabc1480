package import Inbox
package import Push

/// Pushes of a notification that was pushed before, and has grown.
package protocol PushRenewalRows: AnyObject {
    /// Whether a push of the notification waits for the device.
    func waits(device: Int64, notification: Int64) throws -> Bool
    /// The collapse id of an earlier push on the screen, where it is not the one with which the next push leaves.
    func shownAs(device: Int64, notification: Int64) throws -> String?
    /// The collapse ids of the device's other jobs, and of their earlier pushes on the screen.
    func collapseIDs(device: Int64, except notification: Int64) throws -> [String]

    /// Notes that a push with the inbox's state up to `seq` is on the screen. A job that waits because of a later growth
    /// stays.
    /// - Parameters:
    ///   - name: of the notification.
    ///   - collapse: of the push.
    /// - Returns: whether there is such a job.
    func keep(device: Int64, _ name: NotificationID, after seq: Int64, collapse: String) throws -> Bool
    /// Notes that a waiting push covers changes up to `seq`: an acknowledgement of less no longer cancels it.
    func grow(device: Int64, notification: Int64, to seq: Int64) throws
    /// Queues a job of what is shown; tells where it stands.
    /// - Parameters:
    ///   - collapse: with which it leaves; nil for the notification's own.
    ///   - shownAs: under which the earlier push is on the screen, where that is another.
    func insert(
        _ job: NewPushJob, _ provider: Device.Provider, collapse: String?, shownAs: String?
    ) throws -> PushTurns.Place
}
