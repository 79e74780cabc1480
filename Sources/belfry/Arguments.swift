import ArgumentParser
import Gateway
import Inbox
import Transport

extension SocketAddress: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}

extension UserID: ExpressibleByArgument {
    /// Whoever may be known: what begins to be kept about somebody is the server's to judge.
    package init?(argument: String) { self.init(known: argument) }
}

extension Duration {
    /// For options, as settings write durations.
    static func argument(_ text: String) throws -> Duration {
        guard let duration = Duration(setting: text) else {
            throw ValidationError("expected a duration such as 90s, 5m, 1h or 7d")
        }
        return duration
    }
}
