import Gateway
import Logging

/// Writes log lines to standard error, as text or as JSON.
enum LogOutput {
    /// - Parameter dropped: counts lines that could not be written, because the reader may go away at any time.
    static func logger(_ settings: Settings.Log, dropped: Counter) -> Logger {
        var logger = Logger(label: "belfry") { label in
            switch settings.format {
            case .text: OneLineLogHandler(StreamLogHandler.standardError(label: label), dropped: dropped)
            case .json: JSONLogHandler { if !Terminal.log($0) { dropped.add() } }
            }
        }
        logger.logLevel = settings.level
        return logger
    }
}
