package import Inbox
package import Push

/// Pushes that are kept back while their owner is not to be disturbed.
package protocol PushHoldRows: AnyObject {
    /// The device's jobs that are kept back, in the order of their notifications.
    func held(device: Int64) throws -> [HeldPush]

    /// Holds a job that was due.
    func hold(
        _ place: PushTurns.Place, _ provider: Device.Provider, until end: Timestamp, expiry: Timestamp, foldKey: String?
    ) throws
    /// Moves a held job, and returns its new place.
    func move(_ place: PushTurns.Place, _ provider: Device.Provider, to due: Timestamp) throws -> PushTurns.Place
    /// Changes when the job leaves and when it expires, and returns its new place.
    func shift(
        _ place: PushTurns.Place, _ provider: Device.Provider, to times: (due: Timestamp, expiry: Timestamp)
    ) throws -> PushTurns.Place
}
