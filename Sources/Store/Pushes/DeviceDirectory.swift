package import Inbox
package import Push

/// The devices that pushes go to. Calls and completions as in ``Store``.
package protocol DeviceDirectory: AnyObject, Sendable {
    /// Takes in a new device, or news of a known one. A token stands for one installation: its latest registration gets
    /// it, and pushes for the earlier one no longer reach it.
    func register(
        _ device: Device, for user: UserID, completion: @escaping @Sendable (Result<Void, StoreError>) -> Void)

    /// Forgets a device and its pushes, and returns whether it existed.
    func unregister(
        device id: String, app: String, of user: UserID,
        completion: @escaping @Sendable (Result<Bool, StoreError>) -> Void)

    /// The user's devices, the one seen last first.
    func devices(of user: UserID, completion: @escaping @Sendable (Result<[Device], StoreError>) -> Void)

    /// Finds a device by the id that an app gives it: the device of that app, else one of no app. An app without a name
    /// gets the device seen last, of whatever app.
    ///
    /// - Parameters:
    ///   - user: the device's owner; nil for apps whose clients register a device without credentials. Then devices that
    ///     a backend named come before those of people's own apps, which such a client cannot change.
    ///   - space: the app of the owner.
    func installation(
        ofDevice id: String, app: String, of user: UserID?, in space: AppName,
        completion: @escaping @Sendable (Result<Installation?, StoreError>) -> Void)

    /// The device that has a provider's token, and its owner; nil if none has it.
    ///
    /// - Parameter space: the app of the owner.
    func device(
        of provider: Device.Provider, token: String, in space: AppName,
        completion: @escaping @Sendable (Result<OwnedDevice?, StoreError>) -> Void)

    /// Forgets devices whose app has not registered since `time`, and returns how many. In steps, so that other writes
    /// go on.
    func forgetDevices(
        lastSeenBefore time: Timestamp, completion: @escaping @Sendable (Result<Int, StoreError>) -> Void)
}

/// The owner of a device, and its app.
package struct Installation: Sendable, Hashable {
    package let user: UserID
    package let app: String

    package init(user: UserID, app: String) { (self.user, self.app) = (user, app) }
}

/// A device and its owner.
package struct OwnedDevice: Sendable, Hashable {
    package let user: UserID
    package let device: Device

    package init(user: UserID, device: Device) { (self.user, self.device) = (user, device) }
}
