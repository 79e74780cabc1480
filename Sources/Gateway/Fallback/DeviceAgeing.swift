import Dispatch
import Inbox
import Logging
import Store

/// Forgets devices whose app has not registered for a long time. Providers do not report all that are gone, and Google
/// calls a token expired after 270 days (Firebase, "Best practices for FCM registration token management").
final class DeviceAgeing: Sendable {
    private let devices: any DeviceDirectory
    private let isOnDuty: @Sendable () -> Bool
    private let age: Duration
    private let logger: Logger
    private let now: @Sendable () -> Timestamp
    private let round = HourlyRound(label: "belfry.device-ageing")

    /// - Parameters:
    ///   - age: the time since a device last registered.
    ///   - isOnDuty: whether this node does that for all.
    init(
        devices: any DeviceDirectory, age: Duration, logger: Logger, isOnDuty: @escaping @Sendable () -> Bool,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.isOnDuty = isOnDuty
        self.devices = devices
        self.age = age
        self.logger = logger
        self.now = now
        round.start(after: .seconds(60)) { [weak self] in self?.look() }
    }

    func stop() { round.stop() }

    private func look() {
        guard isOnDuty() else { return }
        devices.forgetDevices(lastSeenBefore: now() - age) { [logger] result in
            switch result {
            case .failure(.closed), .failure(.damaged), .success(0): break
            case .failure(let error):
                // The next round looks for the same devices again.
                logger.error("old devices could not be forgotten", metadata: ["reason": "\(error.reason)"])
            case .success(let count):
                logger.info(
                    "devices forgotten: their apps have not registered for long", metadata: ["count": "\(count)"])
            }
        }
    }
}
