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
        case .busy(_, let scope, let reason?):
            let waiting =
                scope == .provider
                ? "All its pushes wait and are tried again." : "One from the queue is tried again."
            return "\(provider.title) gave no verdict: \(reason). \(waiting) \(provider.connectionAdvice)"
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
            let advice = RefusalAdvice.text(for: reason, from: provider)
            return "\(provider.title) refused the push: \(reason). \(advice)"
        }
    }
}

extension Device.Provider {
    /// What to look at when it cannot be reached.
    fileprivate var connectionAdvice: String {
        let settings =
            switch self {
            case .apns: "APNS"
            case .fcm: "FCM"
            case .onesignal: "ONESIGNAL"
            case .webpush: "WEBPUSH"
            }
        return "Look at this server's connection (name service, firewall, clock), and at \(settings)_ENDPOINT and "
            + "\(settings)_CA_FILE if they are set."
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
