/// What a person has chosen for some notifications, by channel; nil where they leave it to the app.
package struct ChannelChoice: Sendable, Hashable {
    /// Whether they come into the inbox.
    package var inApp: Bool?
    /// Whether they are pushed. Where ``inApp`` is false, only true has them pushed.
    package var push: Bool?

    package init(inApp: Bool? = nil, push: Bool? = nil) {
        self.inApp = inApp
        self.push = push
    }

    package var isEmpty: Bool { inApp == nil && push == nil }
}

/// How a choice is to change.
package struct ChannelEdit: Sendable, Hashable {
    package enum Edit: Sendable, Hashable {
        case keep
        /// Back to what the app has.
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

    /// Makes the choice.
    package init(_ choice: ChannelChoice) {
        self.init(
            inApp: choice.inApp.map(Edit.set) ?? .reset, push: choice.push.map(Edit.set) ?? .reset)
    }

    package static let reset = ChannelEdit(inApp: .reset, push: .reset)

    /// Whether it switches anything off.
    package var silences: Bool { inApp == .set(false) || push == .set(false) }

    func applied(to choice: ChannelChoice?) -> ChannelChoice? {
        let choice = ChannelChoice(inApp: inApp.applied(to: choice?.inApp), push: push.applied(to: choice?.push))
        return choice.isEmpty ? nil : choice
    }
}
