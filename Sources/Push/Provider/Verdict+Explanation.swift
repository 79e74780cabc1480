import Inbox

extension Verdict {
    /// The meaning of a provider's reply and the advice for an operator, in a sentence or two.
    package func explanation(from provider: Device.Provider) -> String {
        let manual = provider.manual
        switch self {
        case .accepted:
            return "\(manual.title) took the push. Whether the phone shows it is up to its settings and connection."
        case .deviceGone(let since):
            return since == nil
                ? "\(manual.title) no longer knows this device: the app was removed or has another token. It is "
                    + "forgotten here; the app registers it again at its next start."
                : "\(manual.title) lost this device. If it has not registered here since then, it is forgotten; the "
                    + "app registers it again at its next start."
        case .busy(_, let scope, let cause?):
            let waiting =
                scope == .provider
                ? "All its pushes wait and are tried again."
                : "A push from the queue is tried again; other pushes do not wait for it."
            return "\(manual.title) \(cause.outcome): \(cause.reason). \(waiting) \(manual.advice(against: cause))"
        case .busy(let retryAfter, let scope, nil):
            let when = retryAfter.map { " It asks to come back in \($0.components.seconds) s." } ?? ""
            switch scope {
            case .device:
                return "\(manual.title) cannot take this push now; one from the queue is tried again.\(when)"
            case .provider:
                return
                    "\(manual.title) is overloaded or limits this server; all its pushes wait and are tried again."
                    + "\(when) If it lasts, look at its status page."
            }
        case .refused(let reason):
            let advice = manual.advice(against: reason) ?? "It is not tried again."
            return "\(manual.title) refused the push: \(reason). \(advice)"
        }
    }
}

extension NoAnswer {
    /// The push service's behaviour, in the words of the sentence.
    fileprivate var outcome: String {
        switch obstacle {
        case .connection: "gave no verdict"
        case .tokenConnection, .tokenService, .credential: "could not be asked"
        case .refusedKey: "does not accept this server's key"
        }
    }
}
