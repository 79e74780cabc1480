/// A person's choice for some notifications, by channel; nil leaves it to the app.
package struct ChannelChoice: Sendable, Hashable {
    /// Whether the notifications come into the inbox.
    package var inApp: Bool?
    /// Whether the notifications are pushed. If ``inApp`` is false, they are pushed only if this is true.
    package var push: Bool?

    package init(inApp: Bool? = nil, push: Bool? = nil) {
        self.inApp = inApp
        self.push = push
    }

    package var isEmpty: Bool { inApp == nil && push == nil }
}

/// A change of a choice.
package struct ChannelEdit: Sendable, Hashable {
    package enum Edit: Sendable, Hashable {
        case keep
        /// Back to the app's default.
        case reset
        case set(Bool)

        fileprivate func applied(to choice: Bool?) -> Bool? {
            switch self {
            case .keep: choice
            case .reset: nil
            case .set(let choice): choice
            }
        }
    }

    package var inApp: Edit
    package var push: Edit

    package init(inApp: Edit = .keep, push: Edit = .keep) {
        self.inApp = inApp
        self.push = push
    }

    /// Sets exactly this choice.
    package init(_ choice: ChannelChoice) {
        self.init(
            inApp: choice.inApp.map(Edit.set) ?? .reset, push: choice.push.map(Edit.set) ?? .reset)
    }

    package static let reset = ChannelEdit(inApp: .reset, push: .reset)

    /// Whether the edit switches anything off.
    package var silences: Bool { inApp == .set(false) || push == .set(false) }

    func applied(to choice: ChannelChoice?) -> ChannelChoice? {
        let choice = ChannelChoice(inApp: inApp.applied(to: choice?.inApp), push: push.applied(to: choice?.push))
        return choice.isEmpty ? nil : choice
    }
}
