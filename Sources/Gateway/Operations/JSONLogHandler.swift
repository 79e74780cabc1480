import Inbox
import JSON
package import Logging

/// Writes log lines as JSON objects, one a line, for collectors.
package struct JSONLogHandler: LogHandler {
    private static let ownKeys: Set = ["time", "level", "message"]

    package var logLevel = Logger.Level.info
    package var metadata: Logger.Metadata = [:]
    private let write: @Sendable (String) -> Void

    package init(write: @escaping @Sendable (String) -> Void) { self.write = write }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var json = JSONWriter(capacity: 256)
        json.object { json in
            json.member("time", WallClock.now.iso8601)
            json.member("level", event.level.rawValue)
            json.member("message", event.message.description)
            let all = metadata.merging(event.metadata ?? [:]) { $1 }
            for (key, value) in all.sorted(by: { $0.key < $1.key }) {
                // Collectors differ about which of two equal keys counts.
                json.key(dynamic: Self.ownKeys.contains(key) ? "metadata.\(key)" : key)
                json.value(value.description)
            }
        }
        write(String(decoding: json.bytes, as: UTF8.self))
    }
}
