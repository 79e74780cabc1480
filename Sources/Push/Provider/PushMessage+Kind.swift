import Inbox

extension PushMessage {
    /// What a push does on the device.
    package enum Kind: Sendable, Hashable {
        /// Shows itself.
        case alert
        /// Shows nothing and wakes the app, so that it loads what is new.
        case background
        /// Sets the icon's number and withdraws what was dealt with elsewhere.
        case badgeOnly
    }

    package var kind: Kind {
        guard let shared else { return .badgeOnly }
        guard shared.content.wakesApp else { return .alert }
        let texts = texts
        return texts.title.isEmpty && texts.body.isEmpty ? .background : .alert
    }
}

extension Device {
    /// Browsers demand of every push that it shows something (Push API, `userVisibleOnly`); one that does not makes
    /// them show a text of their own, and costs the site its permission in the end.
    package var isBrowser: Bool { platform == "web" }
}
