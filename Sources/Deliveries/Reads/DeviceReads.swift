package import Inbox
package import Push
package import Store

/// Reads devices.
package protocol DeviceReads {
    /// The user's devices without damaged ones, the one seen last first.
    func devices(of user: UserID) throws -> [Device]
    /// See ``DeviceDirectory/installation(ofDevice:app:of:in:completion:)``.
    func installation(ofDevice id: String, app: String, of user: UserID?, in space: AppName) throws -> Installation?
    /// See ``DeviceDirectory/device(of:token:in:completion:)``. None that is damaged.
    func device(of provider: Device.Provider, token: String, in space: AppName) throws -> OwnedDevice?
}
