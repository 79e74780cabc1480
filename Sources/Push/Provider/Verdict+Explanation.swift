import Inbox

extension Verdict {
    /// What a provider's answer means and what an operator should do about it, in a sentence or two.
    ///
    /// From the providers' own pages: Apple, "Handling notification responses from APNs"; Firebase, "ErrorCode";
    /// OneSignal, "Push notification"; RFC 8030 §5 and §7.3, RFC 8292 §4.2.
    package func explanation(from provider: Device.Provider) -> String {
        switch self {
        case .accepted:
            return "\(provider.title) took the push. Whether the phone shows it is up to its settings and connection."
        case .deviceGone(let since):
            return since == nil
                ? "\(provider.title) no longer knows this device: the app was removed or has another token. It is "
                    + "forgotten here; the app registers it again at its next start."
                : "\(provider.title) lost this device. If it has not registered here since then, it is forgotten; the "
                    + "app registers it again at its next start."
        case .busy(_, let scope, let cause?):
            let waiting =
                scope == .provider
                ? "All its pushes wait and are tried again."
                : "A push from the queue is tried again; other pushes do not wait for it."
            return "\(provider.title) \(cause.outcome): \(cause.reason). \(waiting) \(provider.advice(against: cause))"
        case .busy(let retryAfter, let scope, nil):
            let when = retryAfter.map { " It asks to come back in \($0.components.seconds) s." } ?? ""
            switch scope {
            case .device:
                return "\(provider.title) cannot take this push now; one from the queue is tried again.\(when)"
            case .provider:
                return
                    "\(provider.title) is overloaded or limits this server; all its pushes wait and are tried again."
                    + "\(when) If it lasts, look at its status page."
            }
        case .refused(let reason):
            let advice = RefusalAdvice.text(for: reason, from: provider) ?? "It is not tried again."
            return "\(provider.title) refused the push: \(reason). \(advice)"
        }
    }
}

extension NoAnswer {
    /// What the push service did, as the sentence says it.
    fileprivate var outcome: String {
        switch obstacle {
        case .connection: "gave no verdict"
        case .tokenConnection, .tokenService, .credential: "could not be asked"
        case .refusedKey: "does not accept this server's key"
        }
    }
}

extension Device.Provider {
    /// What to look at when no push gets an answer.
    fileprivate func advice(against cause: NoAnswer) -> String {
        let connection = "Look at this server's connection (name service, firewall, clock)"
        switch cause.obstacle {
        case .connection:
            return "\(connection), and at \(variables)_ENDPOINT and \(variables)_CA_FILE if they are set."
        case .tokenConnection:
            return "\(connection), at token_uri in the file of \(credential), and at \(variables)_CA_FILE if it is set."
        case .tokenService:
            return "If it lasts, look at the service's status page, and at token_uri in the file of \(credential)."
        case .credential:
            return "Look at \(credential)."
        case .refusedKey:
            return RefusalAdvice.text(for: cause.reason, from: self) ?? "Look at \(credential)."
        }
    }

    /// What the variables of its settings begin with.
    private var variables: String {
        switch self {
        case .apns: "APNS"
        case .fcm: "FCM"
        case .onesignal: "ONESIGNAL"
        case .webpush: "WEBPUSH"
        }
    }

    /// The variable that names what its pushes are authorized by.
    private var credential: String {
        switch self {
        case .apns: "APNS_KEY_PATH"
        case .fcm: "FCM_SERVICE_ACCOUNT_PATH"
        case .onesignal: "ONESIGNAL_API_KEY"
        case .webpush: "VAPID_PRIVATE_KEY_PATH"
        }
    }

    /// As people call it.
    package var title: String {
        switch self {
        case .apns: "APNs"
        case .fcm: "FCM"
        case .onesignal: "OneSignal"
        case .webpush: "The browser's push service"
        }
    }
}
