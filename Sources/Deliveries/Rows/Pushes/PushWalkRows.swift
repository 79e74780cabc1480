package import Inbox
package import Push

/// The queue as ``PushTurnsInMemory`` walks through it.
package protocol PushWalkRows: PushJobRows {
    /// The next due jobs behind `place`, at most `limit`.
    func due(at now: Timestamp, provider: Device.Provider, after place: QueuePlace?, limit: Int) throws -> [WalkedJob]
    /// The first time after `now` at which a job is due; nil if there is none.
    func nextDue(after now: Timestamp, provider: Device.Provider) throws -> Timestamp?
    /// The notifications of jobs that were put off after a failure, by device. Jobs that are held by now are not among
    /// them, as they hold up nothing. Reads the provider's whole queue.
    func putOff(provider: Device.Provider) throws -> [Int64: [Int64]]
}
