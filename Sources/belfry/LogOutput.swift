import Gateway
import Logging

/// Where log lines go: standard error, as text or as JSON.
enum LogOutput {
    static func logger(_ settings: Settings.Log) -> Logger {
        var logger = Logger(label: "belfry") { label in
            switch settings.format {
            case .text: OneLineLogHandler(StreamLogHandler.standardError(label: label))
            case .json: JSONLogHandler { Terminal.complain($0) }
            }
        }
        logger.logLevel = settings.level
        return logger
    }
}
