import Gateway
import Logging
import Synchronization
import Testing

struct OneLineLogHandlerTests {
    /// Keeps what it is given.
    private struct Journal: LogHandler {
        final class Lines: Sendable {
            let all = Mutex<[String]>([])
        }

        let lines: Lines
        var logLevel = Logger.Level.info
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(event.metadata ?? [:]) { $1 }
            let words = all.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }
            lines.all.withLock { $0.append(([event.message.description] + words).joined(separator: " ")) }
        }
    }

    @Test func `a message is one line and drives no terminal, whatever its words`() {
        let lines = Journal.Lines()
        var logger = Logger(label: "belfry") { _ in OneLineLogHandler(Journal(lines: lines)) }
        logger[metadataKey: "node"] = "a\nb"
        logger.warning("refused: \u{1B}[2Jé\r\n", metadata: ["reason": "x\n2026 info forged", "list": ["\u{9B}"]])
        #expect(
            lines.all.withLock { $0 } == [
                #"refused: \u001b[2Jé\u000d\u000a list=["\u009b"] node=a\u000ab reason=x\u000a2026 info forged"#
            ])
    }
}
