import ArgumentParser
import Gateway
import Inbox
import Transport

extension SocketAddress {
    /// For options.
    static func argument(_ text: String) throws -> SocketAddress {
        guard let address = SocketAddress(text) else {
            throw ValidationError("expected a host and a port, such as 127.0.0.1:8080")
        }
        return address
    }
}

extension AppName {
    /// For options.
    static func argument(_ text: String) throws -> AppName {
        guard let app = AppName(text) else { throw ValidationError("expected \(expectation)") }
        return app
    }
}

extension UserID {
    /// For options: any id that may be known. For new people the server applies its own rules.
    static func argument(_ text: String) throws -> UserID {
        guard let user = UserID(known: text) else {
            throw ValidationError("expected a user id of 1 to \(maximumBytes) bytes")
        }
        return user
    }
}

extension Duration {
    /// For options: durations in the form of settings.
    static func argument(_ text: String) throws -> Duration {
        guard let duration = Duration(setting: text) else {
            throw ValidationError("expected a duration such as 90s, 5m, 1h or 7d")
        }
        return duration
    }
}
