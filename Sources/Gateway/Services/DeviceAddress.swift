import Inbox
import Push

/// A device's address at a push service.
struct DeviceAddress {
    /// As ``Push/Device/token``.
    let token: String
    /// As ``Push/Device/keys``.
    var keys: WebPushKeys?
    /// As ``Push/Device/scope``.
    var scope: String?
    /// As ``Push/Device/expiresAt``.
    var expiresAt: Timestamp?
}

/// A registration's statement of the device's address.
struct AddressRequest {
    let user: UserID
    let members: KnownMembers
    let settings: Settings.Push
    let now: Timestamp
}
