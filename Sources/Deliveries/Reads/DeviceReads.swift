package import Inbox
package import Push
package import Store

/// Reads devices.
package protocol DeviceReads {
    /// The user's devices without damaged ones, the one seen last first.
    func devices(of user: UserID) throws -> [Device]
    /// See ``DeviceDirectory/installation(ofDevice:app:of:in:completion:)``.
    func installation(ofDevice id: String, app: String, of user: UserID?, in space: AppName) throws -> Installation?
}
