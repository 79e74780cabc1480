package import Inbox
package import Push

/// The devices that pushes go to. Calls and completions as in ``Store``.
package protocol DeviceDirectory: AnyObject, Sendable {
    /// Takes in a device, or what is new about a known one. A token stands for one installation: whoever registers it last
    /// has it, and no push for the one before reaches it.
    func register(
        _ device: Device, for user: UserID, completion: @escaping @Sendable (Result<Void, StoreError>) -> Void)

    /// Forgets a device and its pushes; tells whether there was one.
    func unregister(
        device id: String, app: String, of user: UserID,
        completion: @escaping @Sendable (Result<Bool, StoreError>) -> Void)

    /// The user's devices, the one seen last first.
    func devices(of user: UserID, completion: @escaping @Sendable (Result<[Device], StoreError>) -> Void)

    /// The user whose device this is, for apps whose clients register a device without credentials.
    func owner(
        ofDevice id: String, app: String, completion: @escaping @Sendable (Result<UserID?, StoreError>) -> Void)

    /// Forgets devices whose app has not registered since; tells how many went. In steps, so that other writes go on.
    func forgetDevices(
        lastSeenBefore time: Timestamp, completion: @escaping @Sendable (Result<Int, StoreError>) -> Void)
}
