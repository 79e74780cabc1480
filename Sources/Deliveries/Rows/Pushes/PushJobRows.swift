package import Inbox
package import Push

/// The queue of pushes. A job's name is its device and its notification. All jobs of a device have the provider that the
/// device has at the moment.
package protocol PushJobRows: AnyObject {
    // MARK: Queueing

    /// Queues a job whose name no waiting job has, and returns its place.
    func insert(_ job: NewPushJob, provider: Device.Provider) throws -> PushTurns.Place
    /// As ``insert(_:provider:)``, but may wait for other jobs of the transaction.
    /// - Returns: nil if the engine notes the place itself, once it has written the job.
    func queue(_ job: NewPushJob, provider: Device.Provider) throws -> PushTurns.Place?
    /// The badge pushes that wait for a device or are on their way to it: at most one of each place.
    func badges(device: Int64) throws -> [(place: Int64, withdrawn: [String])]
    func write(withdrawn: [String], device: Int64, place: Int64) throws
    /// Lets waiting pushes ask a notification for its content when they leave, as it no longer shows the one it came
    /// with.
    func clearContent(inbox: Int64, notification: Int64) throws
    /// Whether a push of the notification waits for one of its person's devices.
    func waits(inbox: Int64, notification: Int64) throws -> Bool
    /// Moves a device's waiting jobs to another provider, and returns their new places.
    func move(
        device: Int64, from earlier: Device.Provider, to provider: Device.Provider
    ) throws -> [PushTurns.Place]

    // MARK: Handing out

    /// Reports that a job's row cannot be read.
    func leaveOut(_ place: PushTurns.Place)
    /// The job at a place; nil if it is gone.
    func row(_ place: PushTurns.Place) throws -> PushJobRow?
    /// All waiting jobs except damaged ones, which keep their places until their turn comes.
    func waiting(provider: Device.Provider) throws -> [WaitingPush]

    // MARK: Settling

    /// Moves a job after a failure and returns its new place; nil if it was gone.
    func putOff(
        device: Int64, notification: Int64, _ provider: Device.Provider, to due: Timestamp, failures: Int
    ) throws -> PushTurns.Place?
    /// Takes a job out of the queue, and returns whether it was still there.
    func delete(device: Int64, notification: Int64, _ provider: Device.Provider) throws -> Bool
    /// Takes out the jobs that still stand at these places. An engine may leave some of them, and the rules then take
    /// these out one by one.
    /// - Parameter places: in their order.
    /// - Returns: for each, whether it was taken out.
    func delete(_ places: [PushTurns.Place], _ provider: Device.Provider) throws -> [Bool]
    /// Takes out a job whose push will not be shown.
    /// - Returns: the mark of an earlier push of the notification that the device shows; nil without one.
    func giveUp(device: Int64, notification: Int64, _ provider: Device.Provider) throws -> PushMark?

    // MARK: Cancelling

    /// Deletes and returns the jobs that an acknowledgement covers.
    func deleteAcknowledged(inbox: Int64, upTo seq: Int64) throws -> [AcknowledgedPush]
    /// The device's jobs about these notifications, in their order.
    /// - Parameters:
    ///   - first: the lowest notification.
    ///   - last: the highest.
    func rows(device: Int64, of notifications: Set<Int64>, from first: Int64, to last: Int64) throws -> [DroppedPush]
    /// The notifications that an earlier push shows, each with its collapse id where that is not its own.
    func shown(device: Int64) throws -> [(notification: Int64, collapse: String?)]
    /// Takes out all jobs of a device, and returns their number.
    func deleteAll(device: Int64, _ provider: Device.Provider) throws -> Int
}

extension PushJobRows {
    package func queue(_ job: NewPushJob, provider: Device.Provider) throws -> PushTurns.Place? {
        try insert(job, provider: provider)
    }
}
