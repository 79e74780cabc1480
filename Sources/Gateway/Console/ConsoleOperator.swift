import Inbox

/// A person or program that uses the console, for the audit log.
struct ConsoleOperator: Sendable, Hashable {
    /// How it was let in.
    enum Way: String, Sendable, Hashable {
        /// From this machine, where nothing is asked.
        case loopback
        case password, token
        /// By a provider that signs people in.
        case oidc
    }

    /// The longest name that is kept.
    static let maximumNameBytes = 100

    /// What the person calls themselves, which nobody checks, or what a provider calls them. Nil if they did not say.
    let name: String?
    let way: Way

    /// - Parameter name: control characters and what is too long make it nil.
    init(name: String?, way: Way) {
        let isUsable = name.map { !$0.isEmpty && $0.utf8.count <= Self.maximumNameBytes && !$0.hasControlCharacter }
        self.name = isUsable == true ? name : nil
        self.way = way
    }
}
