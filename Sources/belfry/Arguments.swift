import ArgumentParser
import Gateway
import Inbox
import Transport

extension SocketAddress: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}

extension UserID: ExpressibleByArgument {
    package init?(argument: String) { self.init(rawValue: argument) }
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
