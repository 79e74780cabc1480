import CLinux
import Inbox
package import Logging

/// Keeps each message on one line, without terminal control characters: some words come from push services or files.
package struct OneLineLogHandler: LogHandler {
    private var base: any LogHandler
    private let dropped: Counter

    /// - Parameters:
    ///   - base: writes to standard error.
    ///   - dropped: counts the lines that could not be written.
    package init(_ base: any LogHandler, dropped: Counter = Counter()) { (self.base, self.dropped) = (base, dropped) }

    package var logLevel: Logger.Level {
        get { base.logLevel }
        set { base.logLevel = newValue }
    }

    package var metadata: Logger.Metadata {
        get { base.metadata }
        set { base.metadata = newValue.mapValues(Self.escaped) }
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { base[metadataKey: key] }
        set { base[metadataKey: key] = newValue.map(Self.escaped) }
    }

    package func log(event: LogEvent) {
        var event = event
        event.message = "\(event.message.description.escapingControlCharacters)"
        event.metadata = event.metadata?.mapValues(Self.escaped)
        base.log(event: event)
        if belfry_has_lost_errors() != 0 { dropped.add() }
    }

    private static func escaped(_ value: Logger.Metadata.Value) -> Logger.Metadata.Value {
        .string(value.description.escapingControlCharacters)
    }
}
