import Inbox
import JSON
import Logging
import Synchronization
import Testing

@testable import Gateway

struct JSONLogHandlerTests {
    final class Lines: Sendable {
        private let lines = Mutex<[String]>([])

        func append(_ line: String) { lines.withLock { $0.append(line) } }

        var all: [String] { lines.withLock { $0 } }
    }

    let lines = Lines()
    let logger: Logger

    init() {
        let lines = lines
        logger = Logger(label: "belfry") { _ in JSONLogHandler { lines.append($0) } }
    }

    func onlyLine() throws -> JSONObject {
        let line = try #require(lines.all.first)
        #expect(lines.all.count == 1)
        #expect(!line.contains("\n"))
        return try #require(JSONValue(parsing: line).object)
    }

    @Test func `a line is one object: time, level, message, then metadata by its keys`() throws {
        logger.warning("disk is \"slow\"\n", metadata: ["shard": "1", "error": .array(["a", "b"])])
        let line = try onlyLine()
        #expect(line.keys == ["time", "level", "message", "error", "shard"])
        #expect(line["time"]?.string.flatMap { Timestamp(iso8601: $0) } != nil)
        #expect(line["level"] == "warning")
        #expect(line["message"] == "disk is \"slow\"\n")
        #expect(line["shard"] == "1")
    }

    @Test func `no key stands twice, whatever metadata is called`() throws {
        logger.info("ours", metadata: ["message": "theirs", "level": "x", "time": "y", "metadata": "z", "": "e"])
        let line = try onlyLine()
        #expect(Set(line.keys).count == line.keys.count)
        #expect(line["message"] == "ours")
        #expect(line["metadata.message"] == "theirs")
        #expect(line["metadata.time"] == "y")
    }

    @Test func `metadata of a line wins over that of the logger`() throws {
        var logger = logger
        logger[metadataKey: "shard"] = "1"
        logger[metadataKey: "node"] = "a"
        logger.error("x", metadata: ["shard": "2"])
        let line = try onlyLine()
        #expect(line["shard"] == "2")
        #expect(line["node"] == "a")
    }

    @Test func `a message below the level is not written`() {
        var logger = logger
        logger.debug("x")
        logger.logLevel = .error
        logger.warning("x")
        #expect(lines.all.isEmpty)
    }
}
