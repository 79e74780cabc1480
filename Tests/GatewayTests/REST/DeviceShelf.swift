import Inbox
import Push
import Store
import Synchronization

/// A directory of devices in memory, which may be told to fail.
final class DeviceShelf: DeviceDirectory {
    enum Call: Hashable {
        case register, unregister, devices
    }

    private struct Row {
        var device: Device
        let user: UserID
    }

    private struct State {
        var rows: [Row] = []
        var failing: Call?
    }

    private let state = Mutex(State())

    /// Makes this call fail from now on; nil lets all calls succeed.
    func fail(_ call: Call?) { state.withLock { $0.failing = call } }

    func register(
        _ device: Device, for user: UserID, completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        completion(
            perform(.register) { rows in
                var device = device
                if let index = rows.firstIndex(where: {
                    $0.user == user && $0.device.id == device.id && $0.device.app == device.app
                }) {
                    device.registeredAt = rows.remove(at: index).device.registeredAt
                }
                rows.append(Row(device: device, user: user))
            })
    }

    func unregister(
        device id: String, app: String, of user: UserID,
        completion: @escaping @Sendable (Result<Bool, StoreError>) -> Void
    ) {
        completion(
            perform(.unregister) { rows in
                let count = rows.count
                rows.removeAll { $0.user == user && $0.device.id == id && $0.device.app == app }
                return rows.count < count
            })
    }

    func devices(of user: UserID, completion: @escaping @Sendable (Result<[Device], StoreError>) -> Void) {
        completion(
            perform(.devices) { rows in
                rows.filter { $0.user == user }.map(\.device).sorted { $0.lastSeenAt > $1.lastSeenAt }
            })
    }

    func installation(
        ofDevice id: String, app: String, of user: UserID?, in space: AppName,
        completion: @escaping @Sendable (Result<Installation?, StoreError>) -> Void
    ) {
        completion(
            perform(.devices) { rows in
                rows.last { $0.device.id == id && $0.device.app == app }.map {
                    Installation(user: $0.user, app: $0.device.app)
                }
            })
    }

    func device(
        of provider: Device.Provider, token: String, in space: AppName,
        completion: @escaping @Sendable (Result<OwnedDevice?, StoreError>) -> Void
    ) {
        completion(
            perform(.devices) { rows in
                rows.last { $0.device.provider == provider && $0.device.token == token }.map {
                    OwnedDevice(user: $0.user, device: $0.device)
                }
            })
    }

    func forgetDevices(
        lastSeenBefore time: Timestamp, completion: @escaping @Sendable (Result<Int, StoreError>) -> Void
    ) {
        completion(
            perform(.unregister) { rows in
                let count = rows.count
                rows.removeAll { $0.device.lastSeenAt < time }
                return count - rows.count
            })
    }

    private func perform<Value>(_ call: Call, _ body: (inout [Row]) -> Value) -> Result<Value, StoreError> {
        state.withLock { state in state.failing == call ? .failure(.closed) : .success(body(&state.rows)) }
    }
}
