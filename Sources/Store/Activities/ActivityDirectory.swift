package import Inbox

/// What apps tell of the Live Activities on their devices. Calls and completions as in ``Store``.
package protocol ActivityDirectory: AnyObject, Sendable {
    /// Replaces the attributes types of which a device can begin activities.
    ///
    /// - Parameter types: by name, the token that begins one, in hex; nil for a device whose app shows activities by
    ///   itself.
    func register(
        activityTypes types: [String: String?], of device: ActivityAddress,
        completion: @escaping @Sendable (Result<ActivityRegistration, StoreError>) -> Void)

    /// Notes the token of a running activity, in hex: pushes that wait for it leave.
    func register(
        activityToken token: String, key: String, of device: ActivityAddress, at now: Timestamp,
        completion: @escaping @Sendable (Result<ActivityRegistration, StoreError>) -> Void)

    /// Notes that an activity is over on a device, and returns whether one was known.
    func dismissActivity(
        key: String, of device: ActivityAddress, at now: Timestamp,
        completion: @escaping @Sendable (Result<Bool, StoreError>) -> Void)

    /// The activities of all of a person's devices, by device and key. Those that are long over are left out.
    func activities(of user: UserID, completion: @escaping @Sendable (Result<[KnownActivity], StoreError>) -> Void)
}

/// A device as its app names it.
package struct ActivityAddress: Sendable, Hashable {
    package let user: UserID
    /// As ``Push/Device/app``.
    package let app: String
    /// As ``Push/Device/id``.
    package let device: String

    package init(user: UserID, app: String, device: String) {
        (self.user, self.app, self.device) = (user, app, device)
    }
}

package enum ActivityRegistration: Sendable, Hashable {
    case stored
    case unknownDevice
    /// The device is reached by a service that knows no activities.
    case unfitDevice
    /// Without a token, the device's service reaches no activity.
    case missingToken
    /// The device has as many activities as are remembered.
    case tooMany
}

/// A Live Activity on one device, as people and support see it: without tokens and contents.
package struct KnownActivity: Sendable, Hashable {
    package enum State: String, Sendable, Hashable, CaseIterable {
        /// Its start has not left yet.
        case waiting
        /// It was begun, and the app has not sent its token yet.
        case begun
        case running
        case over
    }

    /// As ``Push/Device/id``.
    package let device: String
    /// As ``Push/Device/app``.
    package let app: String
    package let key: String
    package let state: State
    /// When it came into its state; nil for one that waits.
    package let since: Timestamp?
    /// Whether something waits to be told.
    package let hasWaiting: Bool

    package init(device: String, app: String, key: String, state: State, since: Timestamp?, hasWaiting: Bool) {
        (self.device, self.app, self.key) = (device, app, key)
        (self.state, self.since, self.hasWaiting) = (state, since, hasWaiting)
    }
}
