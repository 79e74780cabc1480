import Inbox
import Push
import Store

/// Registers a device, and limits how many devices a person has.
struct DeviceRegistration: Sendable {
    /// Each notification is a push job for each of them. The limit is more than a person has; browsers that forget
    /// their ids add up.
    static let maximumDevices = 50

    let directory: any DeviceDirectory

    /// The completion gets the device as it is stored now. Beyond the limit, the devices go that were not seen for the
    /// longest time.
    func register(
        _ device: Device, for user: UserID, completion: @escaping @Sendable (Result<Device, StoreError>) -> Void
    ) {
        directory.register(device, for: user) { result in
            if case .failure(let error) = result { return completion(.failure(error)) }
            settle(device, of: user, completion: completion)
        }
    }

    private func settle(
        _ device: Device, of user: UserID, completion: @escaping @Sendable (Result<Device, StoreError>) -> Void
    ) {
        directory.devices(of: user) { result in
            switch result {
            case .failure(let error): completion(.failure(error))
            case .success(let devices):
                let others = devices.filter { !$0.isSameInstallation(as: device) }
                // Another request may have removed it meanwhile.
                let kept = devices.first { $0.isSameInstallation(as: device) } ?? device
                forget(others.dropFirst(Self.maximumDevices - 1), of: user) { completion($0.map { kept }) }
            }
        }
    }

    private func forget(
        _ devices: ArraySlice<Device>, of user: UserID,
        completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        guard let device = devices.first else { return completion(.success(())) }
        directory.unregister(device: device.id, app: device.app, of: user) { result in
            if case .failure(let error) = result { return completion(.failure(error)) }
            forget(devices.dropFirst(), of: user, completion: completion)
        }
    }
}

extension Device {
    fileprivate func isSameInstallation(as other: Device) -> Bool {
        ExactText(id) == ExactText(other.id) && ExactText(app) == ExactText(other.app)
    }
}
