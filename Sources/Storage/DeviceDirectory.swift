package import Inbox
package import Push

/// The devices that pushes go to. Calls and completions as in ``Store``.
package protocol DeviceDirectory: AnyObject, Sendable {
    /// Takes in a device, or what is new about a known one. A token stands for one installation: whoever registers it
    /// last has it, and no push for the one before reaches it.
    func register(
        _ device: Device, for user: UserID, completion: @escaping @Sendable (Result<Void, StoreError>) -> Void)

    /// Forgets a device and its pushes; tells whether there was one.
    func unregister(
        device id: String, app: String, of user: UserID,
        completion: @escaping @Sendable (Result<Bool, StoreError>) -> Void)

    /// The user's devices, the one seen last first.
    func devices(of user: UserID, completion: @escaping @Sendable (Result<[Device], StoreError>) -> Void)

    /// Finds the device that an app means which knows its own id: the one of that app, else one of no app. An app that
    /// does not say which it is means the one seen last, whatever app that is of.
    ///
    /// - Parameter user: whose it must be; nil for apps whose clients register a device without credentials: then those
    ///   that a backend has made known go before those of people's own apps, which such a client cannot change.
    func installation(
        ofDevice id: String, app: String, of user: UserID?,
        completion: @escaping @Sendable (Result<Installation?, StoreError>) -> Void)

    /// Forgets devices whose app has not registered since; tells how many went. In steps, so that other writes go on.
    func forgetDevices(
        lastSeenBefore time: Timestamp, completion: @escaping @Sendable (Result<Int, StoreError>) -> Void)
}

/// Whose a device is, and of which app.
package struct Installation: Sendable, Hashable {
    package let user: UserID
    package let app: String

    package init(user: UserID, app: String) { (self.user, self.app) = (user, app) }
}
