import Inbox
import JSON
import Push
import Store
import Synchronization

/// Sends test pushes to a person's devices, at once and past the queue, to show an operator each provider's verdict.
///
/// A test takes no longer than one request may. A device that its provider calls gone is forgotten, as after any push.
struct PushTest: Sendable {
    struct Options: Sendable {
        var user: UserID
        /// Only this device; nil for all.
        var device: String?
        /// Nil to send nothing but the icon's number.
        var text: Text?
    }

    struct Text: Sendable {
        var title: String
        var body: String
    }

    struct Result: Sendable {
        enum Outcome: Sendable {
            /// The push was sent, and this is the provider's verdict.
            case answered(Verdict, isForgotten: Bool)
            case notConfigured
            /// The person refuses notifications, though a provider would take the push.
            case denied
            /// The app has not sent a token yet.
            case awaitsToken
        }

        let device: Device
        let outcome: Outcome
        let duration: Duration
    }

    /// Short, as the tester is looking at the phone.
    private static let lifetime = Duration.seconds(300)

    let store: any Store
    let senders: [Device.Provider: any PushSender]
    let now: @Sendable () -> Timestamp

    /// The results are in the order of the devices, the one seen last first; none for a person without devices.
    func run(
        _ options: Options, completion: @escaping @Sendable (Swift.Result<[Result], StoreError>) -> Void
    ) {
        store.devices(of: options.user) { found in
            switch found {
            case .failure(let error): completion(.failure(error))
            case .success(let all):
                let devices = all.filter { options.device == nil || $0.id == options.device }
                // Strangers are not looked up: that would create an inbox for them.
                if devices.isEmpty { return completion(.success([])) }
                store.state(of: options.user) { state in
                    switch state {
                    case .failure(let error): completion(.failure(error))
                    case .success(let state): send(options, to: devices, state) { completion(.success($0)) }
                    }
                }
            }
        }
    }

    private func send(
        _ options: Options, to devices: [Device], _ state: InboxState,
        completion: @escaping @Sendable ([Result]) -> Void
    ) {
        let results = Mutex<[Int: Result]>([:])
        for (index, device) in devices.enumerated() {
            send(options, to: device, state) { result in
                let all: [Int: Result]? = results.withLock { results in
                    results[index] = result
                    return results.count == devices.count ? results : nil
                }
                if let all { completion(devices.indices.compactMap { all[$0] }) }
            }
        }
    }

    private func send(
        _ options: Options, to device: Device, _ state: InboxState, completion: @escaping @Sendable (Result) -> Void
    ) {
        guard device.permission != .denied else {
            return completion(Result(device: device, outcome: .denied, duration: .zero))
        }
        if device.awaitsToken {
            return completion(Result(device: device, outcome: .awaitsToken, duration: .zero))
        }
        guard let sender = senders[device.provider] else {
            return completion(Result(device: device, outcome: .notConfigured, duration: .zero))
        }
        let (began, now) = (ContinuousClock.now, now())
        let message = Self.message(options, to: device, state, at: now)
        sender.send(message, to: device, at: now) { verdict in
            let duration = ContinuousClock.now - began
            // Judged like a job's attempt: a token that was registered after the provider lost the old one stays.
            var attempt = PushAttempt(expiry: message.expiry)
            guard case .forgetDevice = attempt.settle(verdict, at: now, jitter: 0, device: device) else {
                let outcome = Result.Outcome.answered(verdict, isForgotten: false)
                return completion(Result(device: device, outcome: outcome, duration: duration))
            }
            forget(device, of: options.user) { isForgotten in
                let outcome = Result.Outcome.answered(verdict, isForgotten: isForgotten)
                completion(Result(device: device, outcome: outcome, duration: duration))
            }
        }
    }

    /// Forgets the device, unless it has another token by now.
    private func forget(_ device: Device, of user: UserID, completion: @escaping @Sendable (Bool) -> Void) {
        store.devices(of: user) { found in
            let known = (try? found.get())?.first { $0.id == device.id && $0.app == device.app }
            guard known?.token == device.token else { return completion(false) }
            store.unregister(device: device.id, app: device.app, of: user) { result in
                // If the store fails, the next push forgets the device.
                completion((try? result.get()) ?? false)
            }
        }
    }

    private static func message(
        _ options: Options, to device: Device, _ state: InboxState, at now: Timestamp
    ) -> PushMessage {
        let text = options.text
        let content = PushContent(
            title: text?.title ?? "", body: text?.body ?? "", group: nil, urgency: .urgent, data: [:], app: device.app)
        return PushMessage(
            content: text == nil ? nil : content, badge: content.badge.number(of: state), notification: nil,
            collapseID: RandomName.make(prefix: text == nil ? "badge-" : "test-"),
            position: PushMessage.Position(epoch: state.epoch, seq: state.seq), expiry: now + lifetime)
    }
}
