import Inbox

extension PushMessage {
    /// The effect of a push on the device.
    package enum Kind: Sendable, Hashable {
        /// The push is shown.
        case alert
        /// The push shows nothing and wakes the app, so that it loads news.
        case background
        /// The push sets the icon's number and withdraws notifications that were dealt with elsewhere.
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
    /// Browsers require that every push shows something (Push API, `userVisibleOnly`). For a push that does not, they
    /// show a text of their own, and in the end the site loses its permission.
    package var isBrowser: Bool { platform == "web" }
}
