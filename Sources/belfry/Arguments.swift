import ArgumentParser
import Gateway
import Inbox
import Transport

extension SocketAddress: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}

extension UserID {
    /// For options: whoever may be known. What begins to be kept about somebody is the server's to judge.
    static func argument(_ text: String) throws -> UserID {
        guard let user = UserID(known: text) else {
            throw ValidationError("expected a user id of 1 to \(maximumBytes) bytes")
        }
        return user
    }
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
